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
    /// The end of a message of a length. The header precedes the message, so more bytes than its own can be read before it.
    @inline(__always)
    func end(ofMessage length: Int) -> UnsafeRawPointer { base + (RecordLayout.headerSize &+ length) }
    /// Whether a line of text has more than the message: attributes, a logger, an event or a trace.
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
    /// The names of file and function, given the tables of the record's ring.
    @inline(__always)
    func source(in tables: RingTables?) -> SourceNames {
        let own = SourceNames(
            base + RecordLayout.headerSize + sourceStart, fileLength: fileLength, functionLength: functionLength)
        return isSiteNumbered ? tables?.sites.names(numbered: short(RecordLayout.siteNumber)) ?? own : own
    }
    /// The ambient attributes that the record refers to by number; empty if none.
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
                high: trace.loadUnaligned(as: UInt64.self), low: trace.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            ),
            spanID: TraceContext.SpanID(trace.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            flags: TraceContext.Flags(
                rawValue: flags & RecordLayout.flagTraceFlags != 0
                    ? trace.load(fromByteOffset: 24, as: UInt8.self) : 0))
    }

    private var threadStart: Int { eventStart + eventLength }
    private var threadLength: Int { flags & RecordLayout.flagThread != 0 ? 4 : 0 }
    /// The kernel's id of the logging thread; 0 if the record does not contain it.
    var threadID: UInt32 {
        guard threadLength > 0 else { return 0 }
        return (base + RecordLayout.headerSize + threadStart).loadUnaligned(as: UInt32.self)
    }

    /// The end of the event name.
    var ending: UnsafeRawBufferPointer { part(threadStart, payloadLength - threadStart) }

    var payloadLength: Int {
        let trace = flags & RecordLayout.flagTrace != 0 ? flags & RecordLayout.flagTraceFlags != 0 ? 25 : 24 : 0
        return threadStart + threadLength + trace
    }
}
