internal import Taffrail

/// Finds the events in a recording that may be damaged anywhere, in constant memory.
///
/// It looks for `{` and `"type"`, takes what reads as an event from there, and looks on behind it.
struct RecordingSalvage: ~Copyable {
    /// An event with its text.
    struct Event {
        var bytes: [UInt8]
        var timestamp: Timestamp?
        var relativeTime: Double
    }

    private let file: File
    private let size: Int
    private var place = 0
    /// How many bytes were neither an event nor what stands between events.
    private(set) var bytesLost = 0
    private var firstMoment: Timestamp?
    private var lastTime = 0.0
    /// A part of the file, and where it begins.
    private var part: [UInt8] = []
    private var partStart = 0

    private static let partLength = 256 << 10
    private static let eventLimit = 64 << 20
    private static let head = Array("\"type\"".utf8)

    init(_ file: consuming File) throws(SystemFailure) {
        size = try file.size
        self.file = file
    }

    /// The next event; `nil` at the end.
    mutating func next() throws(SystemFailure) -> Event? {
        var gap = place
        while let start = try find() {
            guard let (event, end) = try read(at: start) else {
                place = start + 1
                continue
            }
            bytesLost += try loss(from: gap, to: start)
            gap = end
            place = end
            if firstMoment == nil { firstMoment = event.timestamp.map { $0 - (event.relativeTime ?? 0) } }
            let derived = firstMoment.flatMap { first in event.timestamp.map { max(0, $0.seconds(since: first)) } }
            lastTime = event.relativeTime ?? derived ?? lastTime
            let text = Array(try bytes(start, end - start))
            return Event(bytes: text, timestamp: event.timestamp, relativeTime: lastTime)
        }
        bytesLost += try loss(from: gap, to: size)
        return nil
    }

    /// Goes to the next place where an event may begin: a brace that `"type"` follows.
    private mutating func find() throws(SystemFailure) -> Int? {
        while place < size {
            let text = try bytes(place, min(Self.partLength, size - place))
            var step = text.count
            for index in text.indices where text[index] == UInt8(ascii: "{") {
                let offset = index - text.startIndex
                let follows = text[index...].dropFirst().drop { $0 <= 32 }
                if follows.starts(with: Self.head) {
                    place += offset
                    return place
                }
                // A name that the part's end cuts off is looked at again.
                if follows.count < Self.head.count && offset > 0 && place + text.count < size {
                    step = offset
                    break
                }
            }
            place += step
        }
        place = size
        return nil
    }

    /// Reads an event; `nil` when there is none that is known. Most are short; longer ones are tried with more text.
    private mutating func read(at start: Int) throws(SystemFailure) -> (RecordingDecoder.Event, end: Int)? {
        var length = min(4_096, size - start)
        while true {
            var reader = JSONReader(try bytes(start, length))
            do throws(ReadError) {
                guard try reader.next() == .beginObject else { return nil }
                let event = try RecordingDecoder.event(&reader)
                // An event without a time is one of the moment before, as it is for a reader.
                let hasTime = event.timestamp != nil || event.relativeTime != nil || firstMoment != nil
                guard event.event != nil, hasTime else { return nil }
                return (event, start + reader.window.place)
            } catch {
                // What is wrong in the middle does not become right with more text.
                guard error.isTruncated, length < min(Self.eventLimit, size - start) else { return nil }
                length = min(length * 8, size - start, Self.eventLimit)
            }
        }
    }

    /// How many bytes between two events do not belong there. The recording's own head and tail do.
    private mutating func loss(from start: Int, to end: Int) throws(SystemFailure) -> Int {
        guard end > start else { return 0 }
        if end - start <= Self.partLength {
            let text = try bytes(start, end - start)
            let string = String(decoding: text, as: UTF8.self)
            let isHead = start == 0 && string.contains("\"events\"")
            let isTail = end == size && string.contains("\"metadata\"")
            if isHead || isTail && !string.contains("\"type\"") { return 0 }
            return text.count { !" \t\r\n,[]{}".utf8.contains($0) }
        }
        return end - start
    }

    /// A stretch of the file.
    private mutating func bytes(_ start: Int, _ count: Int) throws(SystemFailure) -> ArraySlice<UInt8> {
        if start < partStart || start + count > partStart + part.count {
            var failure: SystemFailure?
            let wanted = min(max(count, 2 * Self.partLength), size - start)
            part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
                do throws(SystemFailure) {
                    initialized = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: start)
                } catch {
                    failure = error
                }
            }
            partStart = start
            if let failure { throw failure }
        }
        let first = start - partStart
        return part[first..<min(part.count, first + count)]
    }
}
