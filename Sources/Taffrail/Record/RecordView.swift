/// A record in the queue's memory: nothing is copied, and it cannot be stored.
///
/// A sink gets views from ``RecordBatch/forEach(_:)`` and may use one only during that call. `LogRecord(view)`
/// makes a copy.
public struct RecordView: ~Copyable {
    let fields: RecordFields
    /// What it refers to; `nil` for a record that is not from a ring.
    let tables: RingTables?
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

    /// Copies of the attributes, innermost first, without duplicate names. In a record with more than 64 KiB of
    /// attributes, names that first appear after the 1,024th attribute may occur more than once.
    public var attributes: [LogValueEntry] {
        var values: [LogValueEntry] = []
        var entries = entries
        while let entry = entries.nextOutOfLine() {
            values.append(LogValueEntry(String(decoding: entry.key, as: UTF8.self), entry.logValue))
        }
        return values
    }

    /// The value of the attribute named `key`.
    public subscript(key: String) -> LogValue? {
        var entries = entries
        while let entry = entries.nextOutOfLine() {
            if entry.key.count == key.utf8.count, ByteSearch.starts(entry.key, with: key) { return entry.logValue }
        }
        return nil
    }

    /// Calls `body` with the message's UTF-8 bytes.
    public func withMessage<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(fields.message.bindMemory(to: UInt8.self).span)
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

    /// The kernel's id of the logging thread; 0 if unknown.
    package var threadID: UInt32 { fields.threadID }

    /// Calls `body` with each attribute, innermost first. Of several equal names the first one counts; the caller must
    /// skip the others.
    package func forEachAttribute(_ body: (AttributeCodec.Entry) -> Void) {
        var rest = fields.attributes
        while let entry = AttributeCodec.next(&rest) { body(entry) }
        rest = context
        while let entry = AttributeCodec.next(&rest) { body(entry) }
    }

    /// The strings, not copied.
    package var bytes: Bytes {
        let names = sourceNames
        return Bytes(
            message: fields.message, logger: fields.logger, event: fields.event, file: names.file,
            function: names.function, line: fields.line)
    }

    /// Calls `body` with each of ``attributes``, not copied.
    package func forEachDistinctAttribute(_ body: (AttributeCodec.Entry) -> Void) {
        var entries = entries
        while let entry = entries.nextOutOfLine() { body(entry) }
    }

    /// Whether the record has any attributes.
    public var hasAttributes: Bool { fields.hasAttributes }

    /// Returns whether the record's logger has this name or a name below it: `net.http` is below `net`.
    public func isLogged(below name: String) -> Bool {
        let logger = fields.logger
        guard ByteSearch.starts(logger, with: name) else { return false }
        let length = name.utf8.count
        return logger.count == length || logger[length] == UInt8(ascii: ".")
    }

    /// Returns whether the message contains a string, compared byte by byte. Copies nothing.
    public func messageContains(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { ByteSearch.isFound(UnsafeRawBufferPointer($0), in: fields.message) }
    }

    /// Returns whether the record has one of these event names. Copies nothing.
    public func hasEvent(among names: [String]) -> Bool {
        let event = fields.event
        return names.contains { event.count == $0.utf8.count && ByteSearch.starts(event, with: $0) }
    }

    /// The strings of a record as UTF-8 in the queue's memory, valid only as long as the record: for a sink that
    /// writes bytes without creating strings.
    ///
    /// They need not be valid UTF-8 if they were not logged as a `String`; `String(decoding:as:)` repairs that.
    package struct Bytes {
        package let message: UnsafeRawBufferPointer
        /// Empty for ``Logger/shared``.
        package let logger: UnsafeRawBufferPointer
        /// Empty without an event name.
        package let event: UnsafeRawBufferPointer
        /// Empty without a source location.
        package let file: UnsafeRawBufferPointer
        package let function: UnsafeRawBufferPointer
        package let line: UInt32
    }
}

/// The header of a record at an address, and the location of its parts.
struct RecordFields {
    let base: UnsafeRawPointer

    @inline(__always)
    init(_ base: UnsafeRawPointer) { self.base = base }

    var sequence: UInt64 { base.load(fromByteOffset: RecordLayout.sequence, as: UInt64.self) }
    var checksum: UInt64 { base.load(fromByteOffset: RecordLayout.checksum, as: UInt64.self) }
    var timestamp: Int64 { base.load(fromByteOffset: RecordLayout.timestamp, as: Int64.self) }
    var messageLength: Int { Int(base.load(fromByteOffset: RecordLayout.messageLength, as: UInt32.self)) }
    var attributesLength: Int { Int(base.load(fromByteOffset: RecordLayout.attributesLength, as: UInt32.self)) }
    var contextLength: Int { short(RecordLayout.contextLength) }
    var loggerLength: Int { short(RecordLayout.loggerLength) }
    private var fileLength: Int { isSiteNumbered ? 0 : short(RecordLayout.fileLength) }
    private var functionLength: Int { isSiteNumbered ? 0 : short(RecordLayout.functionLength) }
    /// The length of the file and function names, if the record contains them.
    var sourceLength: Int { fileLength + functionLength }
    /// Whether they are in the ring's ``CallSiteTable``.
    var isSiteNumbered: Bool { flags & RecordLayout.flagSite != 0 }
    /// Whether the ambient attributes are in the ring's ``ContextTable``.
    var isContextNumbered: Bool {
        flags & (RecordLayout.flagContext | RecordLayout.flagSite) == RecordLayout.flagContext | RecordLayout.flagSite
    }
    /// Their number there.
    var contextNumber: UInt16 { UInt16(truncatingIfNeeded: short(RecordLayout.contextNumber)) }
    var line: UInt32 { base.load(fromByteOffset: RecordLayout.line, as: UInt32.self) }
    var level: Level { Level(rawValue: rawLevel) ?? .info }
    /// The raw value of the level.
    @inline(__always)
    var rawLevel: UInt8 { base.load(fromByteOffset: RecordLayout.level, as: UInt8.self) }
    var flags: UInt8 { base.load(fromByteOffset: RecordLayout.flags, as: UInt8.self) }
    var eventLength: Int { short(RecordLayout.eventLength) }

    @inline(__always)
    private func short(_ offset: Int) -> Int { Int(base.load(fromByteOffset: offset, as: UInt16.self)) }

    @inline(__always)
    private func part(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + RecordLayout.headerSize + offset, count: length)
    }

    private var contextStart: Int { messageLength + attributesLength }
    private var sourceStart: Int { contextStart + contextLength + loggerLength }
    private var eventStart: Int { sourceStart + sourceLength }

    var message: UnsafeRawBufferPointer { part(0, messageLength) }
    /// Returns the end of a message, given its length. The header precedes the message, so bytes before the message
    /// can be read too.
    @inline(__always)
    func end(ofMessage length: Int) -> UnsafeRawPointer { base + (RecordLayout.headerSize &+ length) }
    /// Whether a text line contains more than the message: attributes, a logger, an event or a trace.
    @inline(__always)
    var hasTail: Bool {
        // The lengths of attributes, context and logger; the level, the flags and the length of the event name.
        let lengths = base.loadUnaligned(fromByteOffset: RecordLayout.attributesLength, as: UInt64.self)
        let rest = base.loadUnaligned(fromByteOffset: RecordLayout.level, as: UInt32.self)
        let flags = ~(RecordLayout.flagSite | RecordLayout.flagThread)
        return lengths | UInt64(rest & (0xFFFF_0000 | UInt32(flags) << 8)) != 0
    }
    /// The record's own attributes, followed by the ambient ones if the record contains them.
    var attributes: UnsafeRawBufferPointer { part(messageLength, attributesLength + contextLength) }
    var logger: UnsafeRawBufferPointer { part(contextStart + contextLength, loggerLength) }
    /// Returns the names of file and function, given the tables of the record's ring.
    @inline(__always)
    func source(in tables: RingTables?) -> SourceNames {
        let own = SourceNames(
            base + RecordLayout.headerSize + sourceStart, fileLength: fileLength, functionLength: functionLength)
        return isSiteNumbered ? tables?.sites.names(numbered: short(RecordLayout.siteNumber)) ?? own : own
    }
    /// Returns the ambient attributes that the record refers to by number; empty if none.
    @inline(__always)
    func context(in tables: RingTables?) -> UnsafeRawBufferPointer {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return isContextNumbered ? tables?.contexts.attributes(numbered: contextNumber) ?? none : none
    }
    /// Whether it has any attributes, including the mark of a truncated record.
    var hasAttributes: Bool {
        attributesLength | contextLength != 0 || flags & (RecordLayout.flagTruncated | RecordLayout.flagContext) != 0
    }
    /// Whether it has been truncated.
    var isTruncated: Bool { flags & RecordLayout.flagTruncated != 0 }
    var event: UnsafeRawBufferPointer { part(eventStart, eventLength) }

    var trace: TraceContext? {
        guard flags & RecordLayout.flagTrace != 0 else { return nil }
        let trace = base + RecordLayout.headerSize + threadStart + threadLength
        return TraceContext(
            traceID: TraceContext.TraceID(
                high: trace.loadUnaligned(as: UInt64.self),
                low: trace.loadUnaligned(fromByteOffset: RecordLayout.traceLow, as: UInt64.self)),
            spanID: TraceContext.SpanID(trace.loadUnaligned(fromByteOffset: RecordLayout.spanID, as: UInt64.self)),
            flags: TraceContext.Flags(
                rawValue: hasTraceFlags ? trace.load(fromByteOffset: RecordLayout.traceFlags, as: UInt8.self) : 0))
    }

    private var hasTraceFlags: Bool { flags & RecordLayout.flagTraceFlags != 0 }
    private var threadStart: Int { eventStart + eventLength }
    private var threadLength: Int { flags & RecordLayout.flagThread != 0 ? RecordLayout.threadLength : 0 }
    /// The kernel's id of the logging thread; 0 if the record does not contain it.
    var threadID: UInt32 {
        guard threadLength > 0 else { return 0 }
        return (base + RecordLayout.headerSize + threadStart).loadUnaligned(as: UInt32.self)
    }

    /// The end of the event name.
    var ending: UnsafeRawBufferPointer { part(threadStart, payloadLength - threadStart) }

    var payloadLength: Int {
        let trace = flags & RecordLayout.flagTrace != 0 ? RecordLayout.traceLength + (hasTraceFlags ? 1 : 0) : 0
        return threadStart + threadLength + trace
    }
}
