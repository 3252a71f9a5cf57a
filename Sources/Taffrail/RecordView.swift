/// A record as it lies in the queue: nothing is copied, and it cannot be kept.
///
/// A sink gets views from ``RecordBatch/forEach(_:)`` and may use one only during that call. `LogRecord(view)`
/// makes a copy.
public struct RecordView: ~Copyable {
    let fields: RecordFields
    /// The run that logged it.
    public let run: RingID
    /// The position in the ring right behind this record; what a sink stores that keeps its own position
    /// (``Sink/position(in:)``).
    public let end: UInt64

    init(_ base: UnsafeRawPointer, run: RingID, end: UInt64) {
        fields = RecordFields(base)
        self.run = run
        self.end = end
    }

    /// When the call was made.
    public var timestamp: Timestamp { Timestamp(nanoseconds: fields.timestamp) }
    /// The number within the run, dense from 1.
    public var sequence: UInt64 { fields.sequence }
    /// How serious it is.
    public var level: Level { fields.level }
    /// The trace and span of the call.
    public var trace: TraceContext? { fields.trace }
    /// Whether it was longer than the queue takes (a quarter of its capacity) and has been cut.
    public var isTruncated: Bool { fields.flags & RecordCodec.flagTruncated != 0 }

    /// The text, as a string of its own.
    public var message: String { String(decoding: fields.message, as: UTF8.self) }
    /// The logger's name; empty for ``Logger/shared``.
    public var logger: String { String(decoding: fields.logger, as: UTF8.self) }
    /// The kind of event, where the record stands for one.
    public var eventName: String? { fields.eventLength == 0 ? nil : String(decoding: fields.event, as: UTF8.self) }
    /// Where in the source the call stands.
    public var source: SourceLocation? {
        guard fields.fileLength > 0 else { return nil }
        return SourceLocation(
            file: String(decoding: fields.file, as: UTF8.self),
            function: String(decoding: fields.function, as: UTF8.self), line: fields.line)
    }

    /// The attributes as values of their own, the innermost first; a name occurs once.
    public var attributes: [LogValueEntry] {
        var entries: [LogValueEntry] = []
        forEachEntry { entry in
            entries.append(LogValueEntry(String(decoding: entry.key, as: UTF8.self), AttributeCodec.value(entry)))
        }
        return entries
    }

    /// The value of the attribute named `key`.
    public subscript(key: String) -> LogValue? {
        var found: LogValue?
        forEachEntry { entry in
            if found == nil && entry.key.elementsEqual(key.utf8) { found = AttributeCodec.value(entry) }
        }
        return found
    }

    /// Lends the message's UTF-8 bytes.
    public func withMessage<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(fields.message.bindMemory(to: UInt8.self).span)
    }

    /// Lends the logger name's UTF-8 bytes.
    public func withLogger<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(fields.logger.bindMemory(to: UInt8.self).span)
    }

    /// Calls `body` with each attribute, the innermost first; the first of a name counts. The attribute
    /// `taffrail.truncated` of a record that was cut comes last.
    @inline(__always)
    func forEachEntry(_ body: (AttributeCodec.Entry) -> Void) {
        let all = fields.attributes
        var rest = all
        while let entry = AttributeCodec.next(&rest) {
            if !Self.isRepeated(entry.key, in: all) { body(entry) }
        }
        if isTruncated { Self.withTruncatedEntry(body) }
    }

    /// Whether the same name comes before `key`, which lies in `all`.
    @inline(__always)
    private static func isRepeated(_ key: UnsafeRawBufferPointer, in all: UnsafeRawBufferPointer) -> Bool {
        var rest = all
        while let earlier = AttributeCodec.next(&rest), earlier.key.baseAddress != key.baseAddress {
            if earlier.key.count == key.count && earlier.key.elementsEqual(key) { return true }
        }
        return false
    }

    private static func withTruncatedEntry(_ body: (AttributeCodec.Entry) -> Void) {
        var key = "taffrail.truncated"
        var yes = UInt8(1)
        key.withUTF8 { key in
            withUnsafeBytes(of: &yes) { value in
                body(AttributeCodec.Entry(kind: .bool, key: UnsafeRawBufferPointer(key), value: value))
            }
        }
    }
}
