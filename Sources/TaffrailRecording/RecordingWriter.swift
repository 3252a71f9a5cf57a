public import Taffrail
public import TaffrailGeo
internal import TaffrailText

/// Writes a recording that is complete at any time: the file on disk is valid JSON with the correct duration and count
/// of events, however the program ends.
///
/// Constant memory, one thread at a time. If the disk is full or the file cannot be written, the file stays valid, with
/// the events up to the last successful ``commit()``.
public final class RecordingWriter {
    /// The recorded position of a queue; part of the file while the recording is open.
    package var mark: RingMark?
    /// The metadata, up to the last ``commit()``.
    public private(set) var metadata: RecordingMetadata
    private let tail: AtomicTail
    /// The end of the last event in the file.
    private var end: Int
    /// Events that are not in the file yet, each with the preceding separator.
    private var pending: [UInt8] = []
    private var pendingCount = 0
    private var pendingDuration = 0.0
    private(set) var isClosed = false
    /// The failure of the system to write a part of the file to the disk. The system reports it once, and a second
    /// attempt does not write the part again: it may not survive power loss as long as the file exists.
    var lostWrites: SystemError?

    /// The file.
    public let path: String
    /// The size of the recording in bytes, without the space reserved during writing.
    public private(set) var size: Int
    /// The number of events that have not been committed.
    public var pendingEvents: Int { pendingCount }
    /// The number of bytes that have not been committed.
    public var pendingBytes: Int { pending.count }

    /// Creates a file with an empty recording, readable by its owner only.
    ///
    /// - Throws: When it cannot be created; `SystemError.code` is `EEXIST` if the name exists.
    public convenience init(path: String, metadata: RecordingMetadata) throws(SystemError) {
        try self.init(path: path, metadata: metadata, faults: nil)
    }

    init(path: String, metadata: RecordingMetadata, faults: RecordingFaults?) throws(SystemError) {
        var empty = metadata
        empty.eventCount = 0
        empty.seconds = 0
        let head = Array("{\"events\":[".utf8)
        let text = head + Self.tail(empty, nil)
        // The file is renamed when it is complete, so that no program sees an empty file with this name.
        try faults?.check("create \(path)")
        let hidden = try HiddenFile(for: path)
        do throws(SystemError) {
            tail = try AtomicTail(hidden.opened(as: path), faults)
            try Self.replace(tail, from: 0, with: text)
            try hidden.rename(to: path)
        } catch {
            hidden.remove()
            throw error
        }
        self.metadata = empty
        self.path = path
        end = head.count
        size = text.count
    }

    /// Continues a recording that was not ended, as after a crash.
    ///
    /// - Throws: When the recording is being written, is damaged, or belongs to another program.
    package init(continuing path: String) throws(RecordingError) {
        do throws(SystemError) {
            let file = try FileDescriptor(updating: path)
            guard file.lock() else { throw SystemError("\(path) is being written", code: Errno.busy) }
            guard let found = try RecordingProbe.continuation(file) else {
                file.unlock()
                throw SystemError("\(path) is damaged", code: Errno.invalid)
            }
            self.path = path
            metadata = found.metadata
            mark = found.mark
            end = found.end
            size = end + Self.tail(metadata, mark).count
            pendingDuration = metadata.seconds
            tail = try AtomicTail(file)
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    /// Adds an event, which is in the file only after ``commit()``.
    public func append(_ event: RecordedEvent) {
        pending.append(metadata.eventCount + pendingCount == 0 ? "\n" : ",\n")
        RecordingEncoder.append(event, to: &pending)
        pendingCount += 1
        pendingDuration = max(pendingDuration, event.relativeTime)
    }

    /// Adds the JSON of an event.
    func append(raw event: [UInt8], relativeTime: Double) {
        pending.append(metadata.eventCount + pendingCount == 0 ? "\n" : ",\n")
        pending.append(contentsOf: event)
        pendingCount += 1
        pendingDuration = max(pendingDuration, relativeTime)
    }

    /// Writes all added events to the file. They then survive a kill of the program, but not power loss.
    ///
    /// - Throws: When the file cannot grow. The events stay in the writer, and a later call retries.
    public func commit() throws(SystemError) { try commit(duration: pendingDuration) }

    private func commit(duration: Double, isClosing: Bool = false) throws(SystemError) {
        guard !isClosed, isClosing || pendingCount > 0 || duration > metadata.seconds else { return }
        var next = metadata
        next.eventCount += pendingCount
        next.seconds = max(next.seconds, duration)
        let length = pending.count
        pending.append(contentsOf: Self.tail(next, isClosing ? nil : mark))
        // The old end may be longer than the new one if only the duration changes.
        let spare = size - (end + pending.count)
        if spare > 0 { pending.append(contentsOf: repeatElement(UInt8(ascii: " "), count: spare)) }
        do throws(SystemError) {
            try Self.replace(tail, from: end, with: pending)
        } catch {
            pending.removeSubrange(length...)
            throw error
        }
        size = end + pending.count - max(0, spare)
        end += length
        metadata = next
        pending.removeAll(keepingCapacity: length <= 1 << 20)
        pendingCount = 0
    }

    /// Discards events that were added but not committed.
    ///
    /// - Returns: Their number.
    @discardableResult
    public func discardPending() -> Int {
        defer {
            pending.removeAll()
            pendingCount = 0
            pendingDuration = metadata.seconds
        }
        return pendingCount
    }

    /// Makes committed events survive power loss.
    ///
    /// - Throws: Each time after the system has failed to write a part of the file to the disk.
    public func sync() throws(SystemError) {
        guard !isClosed else { return }
        if let lostWrites { throw lostWrites }
        do throws(SystemError) { try tail.sync() } catch {
            if !isDeleted { lostWrites = error }
            throw error
        }
    }

    /// Whether another program has deleted the file, so that its contents are lost.
    public var isDeleted: Bool { !isClosed && tail.isDeleted }

    /// Whether another program has truncated the file, so that nothing can be added to it.
    package var isTruncated: Bool { !isClosed && tail.isTruncated }

    /// Ends the recording: commits, removes the reserved space, makes the file durable. A second call does nothing.
    ///
    /// - Parameter duration: The duration of the recording, if it exceeds the time of the last event.
    /// - Throws: When the file cannot grow; a later call retries. Also when a part of it cannot be written to the disk; the
    ///   recording has ended nevertheless.
    public func close(duration: Duration = .zero) throws(SystemError) { try close(seconds: duration / .seconds(1)) }

    func close(seconds: Double) throws(SystemError) {
        guard !isClosed else { return }
        try commit(duration: max(seconds, pendingDuration), isClosing: true)
        isClosed = true
        do throws(SystemError) { try tail.cut(at: size) } catch { lostWrites = lostWrites ?? error }
        if let lostWrites { throw lostWrites }
    }

    /// The number of times that the file was written by an interruptible step; 0 on Linux's local file systems.
    package var dividedSteps: Int { tail.dividedSteps }

    private static func replace(
        _ tail: AtomicTail, from offset: Int, with bytes: [UInt8]
    ) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
            try tail.replace(from: offset, with: UnsafeRawBufferPointer(bytes))
        }
    }

    private static func tail(_ metadata: RecordingMetadata, _ mark: RingMark?) -> [UInt8] {
        var bytes = Array("\n],".utf8)
        mark?.append(to: &bytes)
        bytes.append("\"metadata\":")
        metadata.append(to: &bytes)
        bytes.append("}\n")
        return bytes
    }
}
