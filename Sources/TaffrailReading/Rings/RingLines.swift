internal import Taffrail

/// The records of a ring that its log does not have yet and that the filter of the log's sink accepts, as JSON lines;
/// copied immediately, so that they are independent of later actions of the run or a recovery.
final class RingLines: LineSource {
    /// The ring's file.
    let path: String
    /// The run.
    let run: RingID
    /// Whether the run is alive, or is being recovered.
    let isAlive: Bool
    private var text = LineBuffer()
    private var ends: [Int] = []
    private var times: [Int64] = []
    private var levels: [Level] = []
    /// The ring positions after them.
    private var positions: [UInt64] = []
    /// Which of them are not returned.
    private var hidden: Set<UInt64> = []
    private var current = -1
    private var problems: [String] = []

    /// The result of reading a ring.
    enum Finding {
        case lines(RingLines)
        /// The program has processors, and only the configuration determines what they would remove.
        case withheld(bytes: Int, isAlive: Bool)
        case gone
        case refused(String)
    }

    /// Reads a log's part of a ring without taking its lock.
    static func read(_ path: String, _ share: RingSinks.Share, isRaw: Bool) -> Finding {
        switch RingFile.inspect(path) {
        case .locked, .gone: return .gone
        case .refused(let reason, _): return .refused(reason)
        case .readable(let ring):
            if ring.header.hasProcessors && !isRaw {
                return .withheld(bytes: pendingBytes(of: ring, share), isAlive: ring.isLocked)
            }
            return .lines(RingLines(ring, share, isRaw: isRaw))
        }
    }

    /// Returns the number of bytes in a ring that its log lacks.
    private static func pendingBytes(of ring: RingFile, _ share: RingSinks.Share) -> Int {
        var position = share.position(in: ring.header)
        var sequence = ring.header.nextSequence
        var bytes = 0
        while let stretch = try? ring.next(from: position, sequence: &sequence) {
            bytes += stretch.length
            position = stretch.end
        }
        return bytes
    }

    private init(_ ring: RingFile, _ share: RingSinks.Share, isRaw: Bool) {
        let filter = isRaw ? SinkFilter() : share.slot.map { ring.filter(ofSlot: $0) } ?? SinkFilter()
        path = ring.path
        run = ring.header.run
        isAlive = ring.isLocked
        var position = share.position(in: ring.header)
        var sequence = ring.header.nextSequence
        // Records that the log lacks may have been numbered before.
        var encoder = JSONLineEncoder()
        do throws(SystemError) {
            while let stretch = try ring.next(from: position, sequence: &sequence) {
                add(stretch, filter, by: &encoder)
                position = stretch.end
            }
        } catch {
            problems.append("\(error)")
        }
        if ring.damaged > 0 && !isAlive {
            let count = CountText.text(ring.damaged, "damaged record was", "damaged records were")
            problems.append("\(path): \(count) skipped")
        }
        problems += ring.tableProblems
    }

    private func add(_ stretch: borrowing RecordBatch, _ filter: SinkFilter, by encoder: inout JSONLineEncoder) {
        stretch.forEach { record in
            guard filter.passes(record) else { return }
            encoder.encode(record, into: &text)
            ends.append(text.count)
            times.append(record.timestamp.nanoseconds)
            levels.append(record.level)
            positions.append(record.end)
        }
    }

    /// Leaves out records that have been shown for another log.
    ///
    /// - Parameter shown: The ring positions after the records already shown; the positions of the others are added.
    func leaveOut(_ shown: inout Set<UInt64>) {
        hidden = shown
        shown.formUnion(positions)
    }

    /// The number of records.
    var count: Int { ends.count }

    func next() -> Bool {
        while current + 1 < ends.count {
            current += 1
            if !hidden.contains(positions[current]) { return true }
        }
        return false
    }

    var line: UnsafeRawBufferPointer {
        let start = current > 0 ? ends[current - 1] : 0
        return UnsafeRawBufferPointer(rebasing: text.bytes[start..<ends[current] - 1])
    }

    var head: LineHead {
        var head = LineHead()
        head.shape = .json
        head.time = times[current]
        head.level = levels[current]
        return head
    }

    /// Calls `body` with each line, independently of the current one.
    func forEach(_ body: (UnsafeRawBufferPointer, LineHead) -> Void) {
        let saved = current
        current = -1
        while next() { body(line, head) }
        current = saved
    }

    var marks: [LogValueEntry] { [LogValueEntry("taffrail.unrecovered", .bool(true))] }

    func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }
}

extension RingSinks.Share {
    /// Returns the position up to which the log has the ring's records; without a slot, the position up to which no
    /// sink needs them any more.
    func position(in header: RingHeader) -> UInt64 {
        slot.map { max(header.head, header.position(ofSlot: $0)) } ?? header.head
    }
}
