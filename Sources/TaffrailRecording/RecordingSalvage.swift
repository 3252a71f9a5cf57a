internal import Taffrail
internal import TaffrailText

/// Finds the events in a recording that may be damaged anywhere, in constant memory.
///
/// In intact text, the events are those of a reader. After damage it tries every `{`: everything that can be parsed as
/// an event counts as one, and the search continues after it.
struct RecordingSalvage: ~Copyable {
    /// The range of an event's text, and its time.
    struct Event {
        var range: Range<Int>
        var timestamp: Timestamp?
        var relativeTime: Double
        /// The part of the event's JSON to be replaced by ``relativeTime``, if the JSON does not contain the time.
        var patch: Range<Int>?
    }

    private let file: FileDescriptor
    private let size: Int
    /// Reads the intact text.
    private var reader: RecordingReader
    private var isRight = true
    private var times = EventTimes()
    /// The end of the last event, and the offset at which to search for the next one.
    private var end = 0
    private var position = 0
    /// The number of bytes that were neither events nor the JSON around them.
    private(set) var bytesLost = 0
    /// A part of the file, and its offset.
    private var part: [UInt8] = []
    private var partStart = 0

    private static let partLength = 256 << 10
    private static let eventLimit = 64 << 20
    /// The text around an event, to reject events that would be nested too deeply.
    private static let frame = Array("[[".utf8)

    /// Opens a recording.
    init(_ path: String) throws(SystemError) {
        let source = try FileSource(path: path)
        let file = try FileDescriptor(reading: path)
        size = try file.size
        self.file = file
        reader = RecordingReader(source, path: path)
    }

    /// Returns the next event; `nil` at the end.
    mutating func next() throws(SystemError) -> Event? {
        guard isRight else { return try search() }
        do throws(RecordingError) {
            if let event = try reader.nextOfAny() {
                end = reader.eventEnd
                return found(event, in: reader.eventOffset..<end, offset: 0)
            }
            bytesLost = reader.unknownBytes
            return nil
        } catch {
            bytesLost = reader.unknownBytes
            times = reader.times
            isRight = false
            position = end
            return try search()
        }
    }

    /// Returns the text of an event, including its time.
    func text(of event: Event) throws(SystemError) -> [UInt8] {
        var text = try read(event.range)
        guard let patch = event.patch else { return text }
        var time: [UInt8] = []
        let isNew = patch.isEmpty
        if isNew { time.append("\"relativeTime\":") }
        time.append(real: event.relativeTime)
        if isNew { time.append(",") }
        text.replaceSubrange(
            patch.lowerBound - event.range.lowerBound..<patch.upperBound - event.range.lowerBound, with: time)
        return text
    }

    /// Describes a decoded event, and the position at which to insert its time if it has none.
    ///
    /// - Parameter offset: The file offset of the buffer that contains the event.
    private func found(_ event: RecordingDecoder.Event, in range: Range<Int>, offset: Int) -> Event {
        var found = Event(range: range, timestamp: event.timestamp, relativeTime: event.relativeTime)
        if event.writtenTime == nil {
            let afterBrace = range.lowerBound + 1
            found.patch =
                event.timeRange.map { $0.lowerBound + offset..<$0.upperBound + offset } ?? afterBrace..<afterBrace
        }
        return found
    }

    // MARK: After damage

    private mutating func search() throws(SystemError) -> Event? {
        let gap = end
        while try findBrace() {
            let start = position
            position += 1
            guard let (event, length) = try event(at: start) else { continue }
            bytesLost += try loss(in: gap..<start)
            position = start + length
            end = position
            return found(event, in: start..<end, offset: start - Self.frame.count)
        }
        bytesLost += try loss(in: gap..<size)
        end = size
        return nil
    }

    /// Advances to the next opening brace.
    private mutating func findBrace() throws(SystemError) -> Bool {
        while position < size {
            let text = try bytes(position, min(Self.partLength, size - position))
            guard !text.isEmpty else { return false }
            if let index = text.firstIndex(of: UInt8(ascii: "{")) {
                position += index - text.startIndex
                return true
            }
            position += text.count
        }
        return false
    }

    /// Reads an event; returns `nil` when there is none. Most events are short; for longer ones, more bytes are tried.
    private mutating func event(at start: Int) throws(SystemError) -> (RecordingDecoder.Event, length: Int)? {
        var length = min(4_096, size - start)
        while true {
            var reader = JSONReader(Self.frame + (try bytes(start, length)))
            do throws(ReadError) {
                for _ in Self.frame { _ = try reader.next() }
                guard try reader.next() == .beginObject else { return nil }
                var event = try RecordingDecoder.event(&reader)
                // An object of unknown type is an event if it has a time; otherwise it is part of a damaged event.
                guard event.event != nil || event.timestamp != nil || event.writtenTime != nil else { return nil }
                _ = times.complete(&event)
                return (event, reader.window.streamOffset - Self.frame.count)
            } catch {
                // More text does not fix an error in the middle.
                guard error.isTruncated, length < min(Self.eventLimit, size - start) else { return nil }
                length = min(length * 8, size - start, Self.eventLimit)
            }
        }
    }

    /// Returns the number of bytes between two events that are neither separators nor the recording's head or tail.
    private mutating func loss(in gap: Range<Int>) throws(SystemError) -> Int {
        guard gap.count <= Self.partLength else { return gap.count }
        let text = Array(try bytes(gap.lowerBound, gap.count))
        let count = text.count { !" \t\r\n,[]{}".utf8.contains($0) }
        let isHead = gap.lowerBound == 0
        guard isHead || gap.upperBound == size else { return count }
        return Self.isFrame(text, isHead: isHead) ? 0 : count
    }

    /// Returns whether bytes are exactly the part before the first event, or after the last one.
    private static func isFrame(_ text: [UInt8], isHead: Bool) -> Bool {
        let head = isHead ? [] : Array("{\"events\":[".utf8)
        var reader = JSONReader(head + text.drop { $0 <= 32 || $0 == UInt8(ascii: ",") })
        do throws(ReadError) {
            guard try reader.next() == .beginObject else { return false }
            while try reader.nextKey() {
                if reader.isText("events") {
                    guard try reader.next() == .beginArray else { return false }
                    if isHead { return reader.window.isBlank }
                    guard try reader.next() == .endArray else { return false }
                } else if reader.isText("metadata") {
                    let before = reader.skippedBytes
                    let metadata = try RecordingMetadata(&reader)
                    guard reader.skippedBytes == before, metadata.isReadable else { return false }
                } else if reader.isText(RingMark.member) {
                    try reader.skipValue()
                } else {
                    return false
                }
            }
            let last = try reader.next()
            return last == .end && !isHead
        } catch {
            return false
        }
    }

    /// Returns a part of the file, and reads the following one ahead.
    private mutating func bytes(_ start: Int, _ count: Int) throws(SystemError) -> ArraySlice<UInt8> {
        if start < partStart || start + count > partStart + part.count {
            part = try read(start..<min(size, start + max(count, 2 * Self.partLength)))
            partStart = start
        }
        let first = start - partStart
        return part[first..<min(part.count, first + count)]
    }

    private func read(_ range: Range<Int>) throws(SystemError) -> [UInt8] {
        try file.read(range.count, at: Int64(range.lowerBound))
    }
}
