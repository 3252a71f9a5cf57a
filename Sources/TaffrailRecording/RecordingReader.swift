internal import Taffrail
public import TaffrailGeo
package import TaffrailText

/// Reads a recording event by event, in constant memory.
///
/// Versions 1.x are supported; unknown keys and event types are ignored; values may be missing, null or negative; the
/// metadata may precede or follow the events. A recording that is being written is read up to its state when it was
/// opened. One thread at a time.
public struct RecordingReader: ~Copyable {
    private var reader: JSONReader
    private let path: String
    private var state = State.start
    private(set) var times = EventTimes()
    /// The metadata, once it has been read; for a regular file, immediately.
    public private(set) var metadata: RecordingMetadata?
    /// The number of events read, including unknown types.
    public private(set) var eventCount = 0
    /// The number of events of unknown type.
    public private(set) var unknownEvents = 0
    /// The offset of the last event in the file.
    public private(set) var eventOffset = 0
    /// The offset after the last event in the file.
    public private(set) var eventEnd = 0
    /// The number of bytes of unknown members outside of events.
    private(set) var unknownBytes = 0
    private var hasEvents = false

    private enum State { case start, members, events, end }

    /// The longest accepted string.
    static let longestText = 64 << 20

    /// Opens a file, which may be compressed (`.gz`); `-` is stdin.
    ///
    /// - Throws: When it cannot be opened, or has an unsupported version. ``next()`` detects files that are not
    ///   recordings.
    public init(path: String) throws(RecordingError) {
        let (source, metadata) = try Self.open(path)
        self.init(source, path: path)
        self.metadata = metadata
    }

    private static func open(_ path: String) throws(RecordingError) -> (any ByteSource, RecordingMetadata?) {
        let source: any ByteSource
        let metadata: RecordingMetadata?
        do throws(SystemError) {
            let file = try FileDescriptor(reading: path)
            guard file.isRegular else { return (FileSource(file, from: -1), nil) }
            if RecordingArchive.isArchive(path) {
                metadata = try RecordingArchive.metadata(file)
                source = try GzipSource(file)
            } else if let found = try RecordingProbe.continuation(file) {
                metadata = found.metadata
                source = RecordingSnapshot(file, found)
            } else {
                metadata = try RecordingProbe.metadata(file)
                source = FileSource(file)
            }
        } catch {
            throw RecordingError(error, path: path)
        }
        if let metadata { try check(metadata, path) }
        return (source, metadata)
    }

    /// Reads a recording in memory; `path` is for messages.
    package init(_ bytes: some Collection<UInt8>, path: String = "recording") {
        reader = JSONReader(bytes)
        self.path = path
    }

    package init(_ source: any ByteSource, path: String) {
        reader = JSONReader(source, maximum: Self.longestText)
        self.path = path
    }

    /// Returns the next event; `nil` at the end, which is reached only if the whole recording is well-formed.
    public mutating func next() throws(RecordingError) -> RecordedEvent? {
        while let event = try nextOfAny() { if let known = event.recorded { return known } }
        return nil
    }

    /// Returns the next event, even of an unknown type.
    mutating func nextOfAny() throws(RecordingError) -> RecordingDecoder.Event? {
        do {
            return try read()
        } catch let error as ReadError {
            throw RecordingError(error, path: path)
        } catch let error as RecordingError {
            throw error
        } catch {
            throw RecordingError(.system, path: path, reason: "\(error)")
        }
    }

    private mutating func read() throws -> RecordingDecoder.Event? {
        while true {
            switch state {
            case .start:
                guard try reader.next() == .beginObject else { throw reader.error("expected a recording as an object") }
                state = .members
            case .members: try member()
            case .events:
                switch try reader.next() {
                case .endArray: state = .members
                case .beginObject:
                    let start = reader.tokenOffset
                    let event = try event()
                    eventOffset = start
                    return event
                default: throw reader.error("expected an event as an object")
                }
            case .end: return nil
            }
        }
    }

    private mutating func member() throws {
        guard try reader.nextKey() else {
            guard try reader.next() == .end else { return }
            guard hasEvents else { throw reader.error("missing events") }
            state = .end
            return
        }
        let start = reader.tokenOffset
        let skipped = reader.skippedBytes
        if reader.isText("metadata") {
            let metadata = try RecordingMetadata(&reader)
            try Self.check(metadata, path)
            self.metadata = metadata
            unknownBytes += reader.skippedBytes - skipped
        } else if reader.isText("events") {
            guard !hasEvents else { throw reader.error("duplicate list of events") }
            hasEvents = true
            switch try reader.next() {
            case .beginArray: state = .events
            case .null: break
            default: throw reader.error("expected events as a list")
            }
        } else if reader.isText(RingMark.member) {
            try reader.skipValue()
        } else {
            try reader.skipValue()
            unknownBytes += reader.window.streamOffset - start
        }
    }

    private static func check(_ metadata: RecordingMetadata, _ path: String) throws(RecordingError) {
        guard !metadata.isReadable else { return }
        // Anything but numbers is damage, not a version.
        let isVersion = metadata.version.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
        throw RecordingError(
            isVersion ? .unsupportedVersion : .malformed, path: path,
            reason: "version \(metadata.version) is not supported; supported versions are 1.x")
    }

    /// Reads the rest of an event, and adds its missing times.
    private mutating func event() throws(ReadError) -> RecordingDecoder.Event {
        var event = try RecordingDecoder.event(&reader)
        guard times.complete(&event) || event.event == nil else { throw reader.error("an event without a time") }
        if event.timestamp == nil {
            let start = metadata?.recordedAt ?? Timestamp(nanoseconds: 0)
            event.timestamp = start + Duration(clampingSeconds: event.relativeTime)
        }
        eventCount += 1
        if event.event == nil { unknownEvents += 1 }
        eventEnd = reader.window.streamOffset
        return event
    }
}
