internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A log record as OTLP describes it, in either encoding.
struct OTLPRecord {
    var time: UInt64 = 0
    var observed: UInt64 = 0
    var severity: Int64 = 0
    var severityText = ""
    var body: LogValue?
    var attributes: [LogValueEntry] = []
    var dropped: UInt64 = 0
    var flags: UInt64 = 0
    var traceID: TraceContext.TraceID?
    var spanID: TraceContext.SpanID?
    var eventName = ""

    /// Returns the record in the form in which it is logged.
    ///
    /// - Parameters:
    ///   - logger: The name of its scope.
    ///   - shared: The attributes of its scope and resource, each name once.
    /// - Returns: The record, and whether attributes beyond the limit were dropped.
    func record(
        logger: String, _ shared: [LogValueEntry], _ arrival: Arrival
    ) -> (record: LogRecord, isTruncated: Bool) {
        var record = LogRecord(timestamp: arrival.time, level: level, message: message, logger: logger)
        record.eventName = eventName.isEmpty ? nil : eventName
        if let traceID {
            record.trace = TraceContext(
                traceID: traceID, spanID: spanID ?? TraceContext.SpanID(0),
                flags: .init(rawValue: UInt8(truncatingIfNeeded: flags)))
        }
        let limit = ReceivedRecords.attributeLimit
        var lost = max(0, attributes.count - limit)
        record.attributes.reserveCapacity(min(attributes.count + shared.count, limit) + 4)
        var source = LogRecord.SourceLocation(file: "", function: "", line: 0)
        for entry in attributes.prefix(limit) {
            switch (entry.key, entry.value) {
            case ("taffrail.run", .string(let text)): record.run = RingID(text) ?? .none
            case ("taffrail.seq", .int(let number)): record.sequence = UInt64(max(0, number))
            case ("event.name", .string(let name)):
                // The newer field `event_name` takes precedence.
                if record.eventName == nil { record.eventName = name }
                if record.eventName != name { record.attributes.append(entry) }
            case ("code.file.path", .string(let text)): source.file = text
            case ("code.function.name", .string(let text)): source.function = text
            case ("code.line.number", .int(let number)): source.line = UInt32(clamping: number)
            default: record.attributes.append(entry)
            }
        }
        if source != LogRecord.SourceLocation(file: "", function: "", line: 0) { record.source = source }
        let own = Set(record.attributes.lazy.map { ExactText($0.key) })
        for entry in shared where !own.contains(ExactText(entry.key)) {
            if record.attributes.count < limit { record.attributes.append(entry) } else { lost += 1 }
        }
        if !severityText.isEmpty, Level(name: severityText) == nil {
            record.attributes.append(LogValueEntry(OriginAttributes.severity, .string(severityText)))
        }
        let missing = dropped &+ UInt64(lost)
        if missing > 0 { record.attributes.append(LogValueEntry(OriginAttributes.dropped, LogValue(missing))) }
        let nanoseconds = time != 0 ? time : observed
        let happened = nanoseconds == 0 ? nil : Int64(exactly: nanoseconds).map { Timestamp(nanoseconds: $0) }
        OriginAttributes.mark(&record, time: happened, device: Self.device(in: shared), arrival)
        return (record, lost > 0)
    }

    /// Returns the device name in the attributes of a resource.
    private static func device(in shared: [LogValueEntry]) -> String? {
        for key in ["device.id", "host.name"] {
            for case .string(let name) in shared.lazy.filter({ $0.key == key }).map(\.value) where !name.isEmpty {
                return name
            }
        }
        return nil
    }

    /// The body; one that is not a string is returned as JSON.
    private var message: String {
        switch body {
        case nil: return ""
        case .string(let text): return text
        case .some(let value): return String(decoding: value.json, as: UTF8.self)
        }
    }

    /// The level by OpenTelemetry's ranges; 10 and 18 are `notice` and `critical` (see the specification's appendix B).
    private var level: Level {
        switch severity {
        case 1...4: .trace
        case 5...8: .debug
        case 9: .info
        case 10...12: .notice
        case 13...16: .warning
        case 17: .error
        case 18...: .critical
        default: Level(name: severityText) ?? .info
        }
    }
}
