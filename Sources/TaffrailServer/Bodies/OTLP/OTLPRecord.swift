internal import Taffrail
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

    /// The record as it is logged.
    ///
    /// - Parameters:
    ///   - logger: The name of its scope.
    ///   - shared: The attributes of its resource and scope.
    func record(logger: String, _ shared: [LogValueEntry], _ arrival: Arrival) -> LogRecord {
        var record = LogRecord(timestamp: arrival.time, level: level, message: message, logger: logger)
        record.eventName = eventName.isEmpty ? nil : eventName
        if let traceID, let spanID {
            record.trace = TraceContext(
                traceID: traceID, spanID: spanID, flags: .init(rawValue: UInt8(truncatingIfNeeded: flags)))
        }
        record.attributes.reserveCapacity(attributes.count + shared.count + 4)
        var source = LogRecord.SourceLocation(file: "", function: "", line: 0)
        for entry in attributes {
            switch (entry.key, entry.value) {
            case ("taffrail.run", .string(let text)): record.run = RingID(text) ?? .none
            case ("taffrail.seq", .int(let number)): record.sequence = UInt64(max(0, number))
            case ("event.name", .string(let name)):
                // As a field of its own it is newer.
                if record.eventName == nil { record.eventName = name }
                if record.eventName != name { record.attributes.append(entry) }
            case ("code.file.path", .string(let text)): source.file = text
            case ("code.function.name", .string(let text)): source.function = text
            case ("code.line.number", .int(let number)): source.line = UInt32(clamping: number)
            default: record.attributes.append(entry)
            }
        }
        if source != LogRecord.SourceLocation(file: "", function: "", line: 0) { record.source = source }
        for entry in shared where record[entry.key] == nil { record.attributes.append(entry) }
        if !severityText.isEmpty, Level(name: severityText) == nil {
            record.attributes.append(LogValueEntry(Origin.severity, .string(severityText)))
        }
        if dropped > 0 { record.attributes.append(LogValueEntry(Origin.dropped, LogValue(dropped))) }
        let nanoseconds = time != 0 ? time : observed
        let happened = nanoseconds == 0 ? nil : Int64(exactly: nanoseconds).map { Timestamp(nanoseconds: $0) }
        Origin.mark(&record, time: happened, device: Self.device(in: shared), arrival)
        return record
    }

    /// The name of the device in the attributes of a resource.
    private static func device(in shared: [LogValueEntry]) -> String? {
        for key in ["device.id", "host.name"] {
            for case .string(let name) in shared.lazy.filter({ $0.key == key }).map(\.value) where !name.isEmpty {
                return name
            }
        }
        return nil
    }

    /// A body that is not a string is JSON.
    private var message: String {
        switch body {
        case nil: return ""
        case .string(let text): return text
        case .some(let value):
            var text: [UInt8] = []
            text.append(json: value)
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// OpenTelemetry's ranges; 10 and 18 are `notice` and `critical` (see the specification's appendix B).
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

/// Counts what a body contains, so that it does not take much more memory decoded.
struct ValueCount {
    private(set) var count = 0

    /// Counts one more.
    mutating func add() throws(Problem) {
        count += 1
        guard count <= ReceivedRecords.limit else { throw ReceivedRecords.tooMany }
    }
}
