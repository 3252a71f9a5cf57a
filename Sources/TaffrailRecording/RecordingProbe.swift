internal import Taffrail
internal import TaffrailText

/// Reads a recording's metadata from its head or its tail, without reading what lies between.
enum RecordingProbe {
    /// How much is read at the head, and at once at the tail.
    private static let headLength = 4_096
    private static let tailLength = 4_096
    /// How far back from the end the metadata may lie: a recorder keeps up to 64 KiB of spaces there while it runs.
    private static let tailLimit = 256 << 10

    /// The metadata; `nil` when neither end has it, which does not mean that there is none.
    static func metadata(_ file: borrowing FileDescriptor) throws(SystemError) -> RecordingMetadata? {
        let size = try file.size
        let head = try file.read(min(headLength, size), at: 0)
        if let metadata = atHead(head) { return metadata }
        var length = min(tailLength, size)
        while true {
            let tail = try file.read(length, at: Int64(size - length))
            if let (metadata, _) = atTail(tail) { return metadata }
            // Farther back only where the tail was nothing but spaces, or the metadata's start not yet in sight.
            guard length < size, length < tailLimit, isUndecided(tail) else { return nil }
            length = min(length * 4, size, tailLimit)
        }
    }

    /// What is needed to go on writing a recording of ours.
    struct Continuation {
        var metadata: RecordingMetadata
        var mark: RecordingMark?
        /// The place behind the last event.
        var end: Int
    }

    /// Reads the tail of a recording that was not ended; `nil` when it is none of ours, or damaged.
    static func continuation(_ file: borrowing FileDescriptor) throws(SystemError) -> Continuation? {
        let size = try file.size
        var length = min(tailLength, size)
        while true {
            let tail = try file.read(length, at: Int64(size - length))
            if let (metadata, index) = atTail(tail), let (end, mark) = end(tail, before: index) {
                return Continuation(metadata: metadata, mark: mark, end: size - length + end)
            }
            guard length < size, length < tailLimit else { return nil }
            length = min(length * 4, size, tailLimit)
        }
    }

    /// The object's first member, if it is the metadata and wholly there.
    private static func atHead(_ bytes: [UInt8]) -> RecordingMetadata? {
        var reader = JSONReader(bytes)
        guard (try? reader.next()) == .beginObject, (try? reader.next()) == .key, reader.isText("metadata") else {
            return nil
        }
        return try? RecordingMetadata(&reader)
    }

    /// The object's last member, if it is the metadata: a brace and the end follow. Inside an event more would follow.
    private static func atTail(_ bytes: [UInt8]) -> (RecordingMetadata, index: Int)? {
        let name = Array("\"metadata\"".utf8)
        for index in bytes.indices.reversed() where bytes[index] == name[0] {
            guard bytes[index...].starts(with: name) else { continue }
            var reader = JSONReader(Array("{".utf8) + bytes[index...])
            guard (try? reader.next()) == .beginObject, (try? reader.next()) == .key,
                let metadata = try? RecordingMetadata(&reader), (try? reader.next()) == .endObject,
                (try? reader.next()) == .end
            else { continue }
            return (metadata, index)
        }
        return nil
    }

    /// Where the last event of a recording of ours ends, and up to where a queue has been recorded into it.
    private static func end(_ bytes: [UInt8], before index: Int) -> (end: Int, mark: RecordingMark?)? {
        // Events have no line breaks inside, so that these bytes stand behind the last one only.
        let bracket = Array("\n],".utf8)
        guard let end = (0..<index).last(where: { bytes[$0] == 10 && bytes[$0...].starts(with: bracket) }) else {
            return nil
        }
        let between = bytes[(end + bracket.count)..<index]
        guard !between.isEmpty else { return (end, nil) }
        var reader = JSONReader(Array("{".utf8) + between.dropLast() + Array("}".utf8))
        guard (try? reader.next()) == .beginObject, (try? reader.next()) == .key, reader.isText(RecordingMark.name)
        else {
            return nil
        }
        return (end, try? RecordingMark(&reader))
    }

    /// Whether a longer tail may show more: when this one has no complete object's end yet.
    private static func isUndecided(_ tail: [UInt8]) -> Bool {
        guard let last = tail.last(where: { $0 > 32 }) else { return true }
        return last == UInt8(ascii: "}")
    }
}
