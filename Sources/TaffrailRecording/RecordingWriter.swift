public import Taffrail
public import TaffrailGeo
internal import TaffrailText

/// Writes a recording that is whole at every moment: what is on disk is valid JSON with the true duration and count of
/// events, whatever kills the program.
///
/// Constant memory, one thread at a time. Where the disk is full or the file cannot be written, the file stays as it
/// is, valid, with the events up to the last ``commit()`` that succeeded.
public final class RecordingWriter {
    /// Up to where a queue has been recorded; in the file while the recording goes on, see ``RecordingMark``.
    package var mark: RecordingMark?
    /// What the recording says about itself, up to the last ``commit()``.
    public private(set) var metadata: RecordingMetadata
    private let tail: AtomicTail
    /// The end of the last event in the file.
    private var end: Int
    /// Events that are not in the file yet, each with what comes before it.
    private var pending: [UInt8] = []
    private var pendingCount = 0
    private var pendingDuration = 0.0
    private var isClosed = false

    /// The file.
    public let path: String
    /// The size of the recording in bytes, without the space that is reserved behind it while it is written.
    public private(set) var size: Int
    /// How many events wait for ``commit()``.
    public var pendingEvents: Int { pendingCount }
    /// How many bytes wait for ``commit()``.
    public var pendingBytes: Int { pending.count }

    /// Makes a file with an empty recording, readable by its owner only.
    ///
    /// - Throws: When it cannot be made; ``SystemError/code`` is `EEXIST` when there is one of that name.
    public convenience init(path: String, metadata: RecordingMetadata) throws(SystemError) {
        try self.init(path: path, metadata: metadata, faults: nil)
    }

    init(path: String, metadata: RecordingMetadata, faults: RecordingFaults?) throws(SystemError) {
        var empty = metadata
        empty.eventCount = 0
        empty.duration = 0
        let head = Array("{\"events\":[".utf8)
        let text = head + Self.tail(empty, nil)
        // It gets its name when it is whole: nobody ever sees a file of that name without a text in it.
        let hidden = try HiddenFile(for: path, faults)
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

    /// Goes on with a recording that was not ended, as it is after a crash.
    ///
    /// - Throws: When it is being written, or is damaged, or no recording of ours.
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
            pendingDuration = metadata.duration
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

    /// Adds the text of an event.
    func append(raw event: [UInt8], relativeTime: Double) {
        pending.append(metadata.eventCount + pendingCount == 0 ? "\n" : ",\n")
        pending.append(contentsOf: event)
        pendingCount += 1
        pendingDuration = max(pendingDuration, relativeTime)
    }

    /// Puts everything that was added into the file. It survives the death of the program, but not yet power loss.
    ///
    /// - Throws: When the file cannot grow. The events stay with the writer, and a later call tries again.
    public func commit() throws(SystemError) { try commit(duration: pendingDuration) }

    private func commit(duration: Double, isClosing: Bool = false) throws(SystemError) {
        guard !isClosed, isClosing || pendingCount > 0 || duration > metadata.duration else { return }
        var next = metadata
        next.eventCount += pendingCount
        next.duration = max(next.duration, duration)
        let length = pending.count
        pending.append(contentsOf: Self.tail(next, isClosing ? nil : mark))
        // The old end may be longer than the new one where nothing but the duration changes.
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

    /// Forgets events that were added and not committed.
    ///
    /// - Returns: How many they were.
    @discardableResult
    public func discardPending() -> Int {
        defer {
            pending.removeAll()
            pendingCount = 0
            pendingDuration = metadata.duration
        }
        return pendingCount
    }

    /// Makes what was committed survive power loss.
    public func sync() throws(SystemError) { if !isClosed { try tail.sync() } }

    /// Whether another program has deleted the file: what is written into it is lost.
    public var isDeleted: Bool { !isClosed && tail.isDeleted }

    /// Ends the recording: commits, takes the reserve off the file, makes it durable. A second call does nothing.
    ///
    /// - Parameter duration: How long the recording lasted, in seconds, where that is longer than its last event.
    public func close(duration: Double = 0) throws(SystemError) {
        guard !isClosed else { return }
        try commit(duration: max(duration, pendingDuration), isClosing: true)
        isClosed = true
        try tail.cut(at: size)
    }

    /// How often the file was written by a step that a signal could have divided; 0 on Linux's local file systems.
    package var dividedSteps: Int { tail.dividedSteps }

    private static func replace(
        _ tail: AtomicTail, from offset: Int, with bytes: [UInt8]
    ) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
            try tail.replace(from: offset, with: UnsafeRawBufferPointer(bytes))
        }
    }

    private static func tail(_ metadata: RecordingMetadata, _ mark: RecordingMark?) -> [UInt8] {
        var bytes = Array("\n],".utf8)
        mark?.append(to: &bytes)
        bytes.append("\"metadata\":")
        metadata.append(to: &bytes)
        bytes.append("}\n")
        return bytes
    }
}

/// Up to where a queue has been recorded. It lies in the file with the events, in a member of its own, so that the two
/// cannot disagree after a crash; the end of the recording takes it out.
package struct RecordingMark: Sendable, Hashable {
    /// The queue's run.
    package var run: RingID
    /// The position in the queue behind the last record that is in the file.
    package var position: UInt64

    package init(run: RingID, position: UInt64) {
        self.run = run
        self.position = position
    }

    /// The member's name.
    static let name: StaticString = "taffrail"

    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\"\(Self.name)\":{\"run\":\"\(run)\",\"position\":\"\(position)\"},".utf8)
    }

    init(_ reader: inout JSONReader) throws(ReadError) {
        self.init(run: .none, position: 0)
        guard try reader.enterObject() else { return }
        while try reader.nextKey() {
            if reader.isText("run") {
                run = try reader.optionalText().flatMap { RingID($0) } ?? .none
            } else if reader.isText("position") {
                position = try reader.optionalText().flatMap { UInt64($0) } ?? 0
            } else {
                try reader.skipValue()
            }
        }
    }
}
