internal import Taffrail

/// The sequence numbers of a ring for its log: the number up to which the log should have the run's records, and the
/// pending numbers.
struct RingNumbers {
    let run: RingID
    /// The first number that the log does not have.
    let next: UInt64
    /// The pending numbers, which a program with processors may still drop.
    let pending: ClosedRange<UInt64>?
    /// Whether the run is alive and will write the pending records itself.
    let isAlive: Bool
    /// Invalid records of a dead run.
    let damaged: Int

    /// Returns the rings of the runs that write a log, and errors of the others.
    static func all(of log: LogPath) -> (rings: [RingNumbers], problems: [String]) {
        var rings: [RingNumbers] = []
        let found = RingPaths(in: log.state)
        var problems = found.problems
        for path in found.paths {
            switch RingFile.inspect(path) {
            case .locked, .gone: continue
            case .refused(let reason, _): problems.append(reason)
            case .readable(let ring):
                guard let share = RingSinks(ring.header, ringIn: ring.directory).share(ofLog: log.live) else {
                    continue
                }
                do throws(SystemError) { rings.append(try RingNumbers(ring, share)) } catch {
                    problems.append("\(error)")
                }
            }
        }
        return (rings, problems)
    }

    private init(_ ring: RingFile, _ share: RingSinks.Share) throws(SystemError) {
        run = ring.header.run
        var position = share.position(in: ring.header)
        var sequence = ring.header.nextSequence
        var first: UInt64?
        while let stretch = try ring.next(from: position, sequence: &sequence) {
            if first == nil { first = stretch.firstSequence }
            position = stretch.end
        }
        next = first ?? sequence
        pending = first.flatMap { $0 < sequence ? $0...(sequence - 1) : nil }
        isAlive = ring.isLocked
        damaged = ring.isLocked ? 0 : ring.damaged
    }
}
