extension Pipeline {
    /// A record as the queue would get it: after redaction by key and the guards.
    ///
    /// - Returns: `nil` if it would be kept out.
    package func reviewed(_ record: LogRecord) -> LogRecord? {
        guard let table = redaction.table else { return record }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return nil }
        defer { scratch.end(frame) }
        let message = scratch.cursor
        scratch.append(record.message)
        var attributes = scratch.cursor
        AttributeCodec.append(record.attributes, to: scratch)
        let found = table.redact(message: message, attributes: attributes, event: record.eventName, in: scratch)
        guard let found else { return nil }
        attributes = found
        var result = record
        result.attributes = AttributeCodec.entries(scratch.bytes(from: attributes))
        result.message = String(
            decoding: UnsafeRawBufferPointer(start: scratch.pointer(at: message), count: attributes - message),
            as: UTF8.self)
        return result
    }
}
