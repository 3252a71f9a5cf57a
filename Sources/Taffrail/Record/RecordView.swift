/// A record in the queue's memory: nothing is copied, and it cannot be stored.
///
/// A sink gets views from ``RecordBatch/forEach(_:)`` and may use one only during that call. `LogRecord(view)`
/// makes a copy.
public struct RecordView: ~Copyable {
    let fields: RecordFields
    private let tables: RingTables?
    /// The run that logged it.
    public let run: RingID
    /// The ring position at the end of this record, for a sink that stores its own position (``Sink/position(in:)``).
    public let end: UInt64

    /// - Parameter tables: The tables of the ring that contains the record.
    init(_ base: UnsafeRawPointer, run: RingID, end: UInt64, tables: RingTables?) {
        fields = RecordFields(base)
        self.tables = tables
        self.run = run
        self.end = end
    }

    /// The time of the call.
    public var timestamp: Timestamp { Timestamp(nanoseconds: fields.timestamp) }
    /// The sequence number within the run, without gaps from 1.
    public var sequence: UInt64 { fields.sequence }
    /// The severity.
    public var level: Level { fields.level }
    /// The trace and span of the call.
    public var trace: TraceContext? { fields.trace }
    /// Whether it was truncated because it was longer than the queue accepts (a quarter of its capacity).
    public var isTruncated: Bool { fields.isTruncated }

    /// A copy of the message.
    public var message: String { String(decoding: fields.message, as: UTF8.self) }
    /// The logger's name; empty for ``Logger/shared``.
    public var logger: String { String(decoding: fields.logger, as: UTF8.self) }
    /// The event name, if any.
    public var eventName: String? { fields.eventLength == 0 ? nil : String(decoding: fields.event, as: UTF8.self) }
    /// The source location of the call.
    public var source: LogRecord.SourceLocation? {
        let names = sourceNames
        guard names.fileLength > 0 else { return nil }
        return LogRecord.SourceLocation(
            file: String(decoding: names.file, as: UTF8.self),
            function: String(decoding: names.function, as: UTF8.self), line: fields.line)
    }

    /// Copies of the attributes, innermost first, without duplicate names.
    public var attributes: [LogValueEntry] {
        var values: [LogValueEntry] = []
        var entries = entries
        while let entry = entries.next() {
            values.append(LogValueEntry(String(decoding: entry.key, as: UTF8.self), AttributeCodec.value(entry)))
        }
        return values
    }

    /// The value of the attribute named `key`.
    public subscript(key: String) -> LogValue? {
        var entries = entries
        while let entry = entries.next() {
            if entry.key.elementsEqual(key.utf8) { return AttributeCodec.value(entry) }
        }
        return nil
    }

    /// Calls `body` with the message's UTF-8 bytes.
    public func withMessage<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(fields.message.bindMemory(to: UInt8.self).span)
    }

    /// Calls `body` with the logger name's UTF-8 bytes.
    public func withLogger<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(fields.logger.bindMemory(to: UInt8.self).span)
    }

    /// The names of the file and function of the call.
    @inline(__always)
    var sourceNames: SourceNames { fields.source(in: tables) }

    /// The attributes, not copied.
    @inline(__always)
    var entries: AttributeEntries {
        AttributeEntries(fields.attributes, then: context, isTruncated: isTruncated)
    }

    /// The ambient attributes that the record refers to in the ring's table.
    @inline(__always)
    var context: UnsafeRawBufferPointer { fields.context(in: tables) }

    /// The process that logged it; `nil` for a record that is not from a ring.
    var origin: RecordOrigin? { tables?.origin }

    /// The kernel's id of the logging thread; 0 if unknown.
    package var threadID: UInt32 { fields.threadID }
}

/// An attribute in the queue's memory, valid only while its record is.
package struct AttributeView {
    fileprivate let entry: AttributeCodec.Entry

    /// The name's UTF-8.
    package var key: UnsafeRawBufferPointer { entry.key }
    /// A copy of the value.
    package var value: LogValue { AttributeCodec.value(entry) }
}

extension RecordView {
    /// Calls `body` with each attribute, innermost first. Of several equal names the first one counts; the caller must
    /// skip the others.
    package func forEachAttribute(_ body: (AttributeView) -> Void) {
        var rest = fields.attributes
        while let entry = AttributeCodec.next(&rest) { body(AttributeView(entry: entry)) }
        rest = context
        while let entry = AttributeCodec.next(&rest) { body(AttributeView(entry: entry)) }
    }
}

extension RecordView {
    /// Whether the record has any attributes.
    public var hasAttributes: Bool { fields.hasAttributes }

    /// Whether the record's logger has this name or a name below it: `net.http` is below `net`.
    public func isLogged(below name: String) -> Bool {
        let logger = fields.logger
        guard logger.starts(with: name.utf8) else { return false }
        let length = name.utf8.count
        return logger.count == length || logger[length] == UInt8(ascii: ".")
    }

    /// Whether the message contains a string, compared byte by byte. Copies nothing.
    public func messageContains(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { ByteSearch.contains(UnsafeRawBufferPointer($0), in: fields.message) }
    }

    /// Whether the record has one of these event names. Copies nothing.
    public func hasEvent(among names: [String]) -> Bool {
        let event = fields.event
        for name in names where event.count == name.utf8.count && event.starts(with: name.utf8) { return true }
        return false
    }
}
