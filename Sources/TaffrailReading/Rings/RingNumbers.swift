internal import Taffrail

/// What a ring tells of the log that it is for: up to which number it should have the run's records, and which ones wait.
struct RingNumbers {
    let run: RingID
    /// The first number that the log does not have.
    let next: UInt64
    /// The numbers that wait, which a program with processors may yet drop.
    let pending: ClosedRange<UInt64>?
    /// Whether the run goes on, and writes them itself.
    let isAlive: Bool
    /// Records of a run that is over that make no sense.
    let damaged: Int

    /// The rings of the runs that write a log, and why others cannot be read.
    static func all(of log: LogPath) -> (rings: [RingNumbers], problems: [String]) {
        var rings: [RingNumbers] = []
        var problems: [String] = []
        for name in Recovery.rings(in: log.state) {
            switch RingFile.inspect(log.state + "/" + name) {
            case .locked, .gone: continue
            case .refused(let reason): problems.append(reason)
            case .readable(let ring):
                guard ring.header.destination == log.base else { continue }
                do throws(SystemError) { rings.append(try RingNumbers(ring)) } catch { problems.append("\(error)") }
            }
        }
        return (rings, problems)
    }

    private init(_ ring: RingFile) throws(SystemError) {
        run = ring.header.run
        var place = RingLines.logPosition(in: ring.header)
        var sequence = ring.header.nextSequence
        var first: UInt64?
        while let stretch = try ring.next(from: place, sequence: &sequence) {
            if first == nil { first = stretch.firstSequence }
            place = stretch.end
        }
        next = first ?? sequence
        pending = first.flatMap { $0 < sequence ? $0...(sequence - 1) : nil }
        isAlive = ring.isLocked
        damaged = ring.isLocked ? 0 : ring.damaged
    }
}
