/// Truncates a record that is longer than the queue accepts.
enum RecordTruncation {
    /// Shortens the record between `start` and the scratch's cursor to `limit` bytes: first the message, at a character
    /// boundary and to no less than half of the room, then the attributes, last one first. Names that take more than
    /// half of the record are removed. Sets the flag ``RecordLayout/flagTruncated``.
    ///
    /// - Returns: The new length; the cursor is at its end, with room for the padding.
    static func cut(_ start: Int, to limit: Int, in scratch: Scratch) -> Int {
        let fields = RecordFields(scratch.pointer(at: start))
        let payload = start + RecordLayout.headerSize
        var messageLength = fields.messageLength
        var attributesLength = fields.attributesLength
        var tail = scratch.bytes(from: payload + messageLength + attributesLength)
        if tail.count > limit / 2 {
            tail = withoutTexts(tail, of: fields, at: start, in: scratch)
        }
        let available = limit - RecordLayout.headerSize - tail.count
        let over = messageLength + attributesLength - available
        let attributes = scratch.bytes(from: payload + messageLength).prefix(attributesLength)
        let longest = max(messageLength - over, min(messageLength, available / 2))
        messageLength = UTF8Text.boundary(in: fields.message, atMost: longest)
        scratch.cursor = payload + messageLength
        let room = start + limit - scratch.cursor - tail.count
        attributes.withUnsafeBytes { bytes in
            var rest = bytes
            attributesLength = 0
            while AttributeCodec.next(&rest) != nil, bytes.count - rest.count <= room {
                attributesLength = bytes.count - rest.count
            }
            scratch.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(attributesLength)))
        }
        scratch.append(tail)
        let base = scratch.pointer(at: start)
        base.setRecordLengths(message: messageLength, attributes: attributesLength)
        base.setRecordFlag(RecordLayout.flagTruncated)
        _ = scratch.ensure(16)
        return scratch.cursor - start
    }

    /// Returns the bytes after the attributes, without the names of logger, file, function and event.
    private static func withoutTexts(
        _ tail: [UInt8], of fields: RecordFields, at start: Int, in scratch: Scratch
    ) -> [UInt8] {
        let texts = fields.loggerLength + fields.sourceLength + fields.eventLength
        let context = fields.contextLength
        let base = scratch.pointer(at: start)
        // A call site's number is part of the header.
        let names = fields.isSiteNumbered ? [] : [RecordLayout.fileLength, RecordLayout.functionLength]
        for offset in names + [RecordLayout.loggerLength, RecordLayout.eventLength] {
            base.storeBytes(of: 0, toByteOffset: offset, as: UInt16.self)
        }
        return Array(tail[..<context]) + tail[(context + texts)...]
    }
}
