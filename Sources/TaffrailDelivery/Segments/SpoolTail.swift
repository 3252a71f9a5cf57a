internal import Taffrail

/// The segment at the end of a spool, and the parts of it and of those before it that are not synchronized.
struct SpoolTail {
    private let directory: String
    /// The last segment; `nil` while the spool is not open.
    private(set) var active: SpoolSegment?
    /// Earlier segments that must be synchronized.
    private var unsynchronized: [SpoolSegment] = []
    private var isDirectoryChanged = false
    /// Segments whose data the system failed to write to the disk. The system reports this once, and a second attempt
    /// has nothing to write: the data may not survive power loss until it is delivered and its segment removed.
    private var lost: Set<UInt64> = []
    /// The highest number that a segment has had.
    private var lastNumber: UInt64 = 0

    init(directory: String) { self.directory = directory }

    var isOpen: Bool { active != nil }

    /// Continues with a segment.
    ///
    /// - Parameter number: A number that must not be used again.
    mutating func open(_ segment: SpoolSegment?, after number: UInt64) {
        active = segment
        lastNumber = max(lastNumber, number)
    }

    mutating func close() {
        active = nil
        unsynchronized = []
    }

    /// Adds a segment that starts with some marks.
    mutating func addSegment(to view: inout SpoolView, marks: SpoolMarks, time: Int64) throws(SystemError) {
        let number = lastNumber + 1
        let (segment, size) = try SpoolSegment.create(number, in: directory, marks: marks, time: time)
        lastNumber = number
        if let active { unsynchronized.append(active) }
        active = segment
        isDirectoryChanged = true
        view.segments.append(SpoolView.Segment(number: number, size: size, newest: time))
    }

    /// Removes a segment that is not the last.
    mutating func remove(_ number: UInt64, from view: inout SpoolView) {
        view.segments.removeAll { $0.number == number }
        unsynchronized.removeAll { $0.number == number }
        try? FileName.removeIfPresent(SpoolSegment.path(number, in: directory))
    }

    /// Writes some bytes into the last segment, which then ends with them; on an error it is unchanged.
    func write(_ bytes: [UInt8], at offset: Int64, in view: inout SpoolView, time: Int64) throws(SystemError) {
        guard let active, let last = view.segments.indices.last else {
            throw SystemError("write \(directory)", code: Errno.badDescriptor)
        }
        do throws(SystemError) { try active.file.write(bytes, at: offset) } catch {
            try? active.file.truncate(to: view.segments[last].size)
            throw error
        }
        view.segments[last].size = offset + Int64(bytes.count)
        view.segments[last].newest = time
    }

    /// Returns whether the last segment has only a header.
    func isEmpty(in view: SpoolView) -> Bool {
        guard let size = view.segments.last?.size else { return true }
        return size <= Int64(SpoolSegment.fixedSize + SpoolMarks.Mark.size * SpoolMarks.limit)
            && ((try? active?.header())?.length ?? 0) == size
    }

    /// Whether power loss may lose data regardless of further synchronization.
    var hasLostWrites: Bool { !lost.isEmpty }

    /// Makes everything written so far survive power loss.
    ///
    /// - Throws: After the system has failed to write data of a segment to the disk, until the segment is removed.
    mutating func synchronize() throws(SystemError) {
        lost = lost.filter { FileName.exists(SpoolSegment.path($0, in: directory)) }
        for segment in unsynchronized { try synchronize(segment) }
        unsynchronized = []
        if let active { try synchronize(active) }
        if isDirectoryChanged { try Directory.synchronize(directory) }
        isDirectoryChanged = false
        if let number = lost.min() {
            let path = SpoolSegment.path(number, in: directory)
            throw SystemError("\(path): a part was not written to the disk", code: Errno.inputOutput)
        }
    }

    private mutating func synchronize(_ segment: SpoolSegment) throws(SystemError) {
        do throws(SystemError) { try segment.file.synchronize() } catch {
            lost.insert(segment.number)
            throw error
        }
    }
}
