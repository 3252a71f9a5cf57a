internal import Taffrail
internal import TaffrailText

/// Reads a recording's metadata from its head or its tail only.
enum RecordingProbe {
    /// The number of bytes to read at the head, and at a time at the tail.
    private static let headLength = 4_096
    private static let tailLength = 4_096
    /// The maximum distance of the metadata from the end: a running recorder reserves up to 64 KiB of spaces there.
    private static let tailLimit = 256 << 10

    /// Returns the metadata; `nil` when neither end contains it, although the middle may.
    static func metadata(_ file: borrowing FileDescriptor) throws(SystemError) -> RecordingMetadata? {
        let size = try file.size
        let head = try file.read(min(headLength, size), at: 0)
        if let metadata = atHead(head) { return metadata }
        var length = min(tailLength, size)
        while true {
            let tail = try file.read(length, at: Int64(size - length))
            if let (metadata, _) = atTail(tail) { return metadata }
            // Continue backwards only if the tail contains only spaces, or not the start of the metadata.
            guard length < size, length < tailLimit, isUndecided(tail) else { return nil }
            length = min(length * 4, size, tailLimit)
        }
    }

    /// The state needed to continue a recording.
    struct Continuation {
        var metadata: RecordingMetadata
        var mark: RingMark?
        /// The offset after the last event.
        var end: Int
        /// The bytes after that offset, without the reserved spaces.
        var rest: [UInt8]

        /// Returns whether a file of this size was not ended: it has a mark, or more than a line break after the rest.
        func isUnfinished(size: Int) -> Bool { mark != nil || size > end + rest.count + 1 }
    }

    /// Reads the tail of a recording that was not ended; `nil` if another program wrote it, or it is damaged.
    static func continuation(_ file: borrowing FileDescriptor) throws(SystemError) -> Continuation? {
        let size = try file.size
        var length = min(tailLength, size)
        while true {
            let tail = try file.read(length, at: Int64(size - length))
            if let (metadata, index) = atTail(tail), let (end, mark) = end(tail, before: index) {
                let last = tail.lastIndex { $0 > 32 } ?? index
                return Continuation(
                    metadata: metadata, mark: mark, end: size - length + end, rest: Array(tail[end...last]))
            }
            guard length < size, length < tailLimit else { return nil }
            length = min(length * 4, size, tailLimit)
        }
    }

    /// Returns the object's first member, if it is complete metadata.
    private static func atHead(_ bytes: [UInt8]) -> RecordingMetadata? {
        var reader = JSONReader(bytes)
        guard (try? reader.next()) == .beginObject, (try? reader.next()) == .key, reader.isText("metadata") else {
            return nil
        }
        return try? RecordingMetadata(&reader)
    }

    /// Returns the object's last member, if it is metadata: only a brace follows, unlike after a member of an event.
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

    /// Returns the end of the last event of a recording, and the position of its queue.
    private static func end(_ bytes: [UInt8], before index: Int) -> (end: Int, mark: RingMark?)? {
        // Events contain no line breaks, so these bytes occur only after the last one.
        let bracket = Array("\n],".utf8)
        guard let end = (0..<index).last(where: { bytes[$0] == 10 && bytes[$0...].starts(with: bracket) }) else {
            return nil
        }
        let between = bytes[(end + bracket.count)..<index]
        guard !between.isEmpty else { return (end, nil) }
        var reader = JSONReader(Array("{".utf8) + between.dropLast() + Array("}".utf8))
        guard (try? reader.next()) == .beginObject, (try? reader.next()) == .key, reader.isText(RingMark.member)
        else {
            return nil
        }
        return (end, try? RingMark(&reader))
    }

    /// Returns whether to read a longer tail, because this one does not contain a complete end of an object.
    private static func isUndecided(_ tail: [UInt8]) -> Bool {
        guard let last = tail.last(where: { $0 > 32 }) else { return true }
        return last == UInt8(ascii: "}")
    }
}
