#if Tracing
internal import Taffrail
internal import Tracing

/// Logs a span when it ends: a record `span`, so that a recording with logs contains the program's operations.
final class SpanRecorder: Sendable {
    private let pipeline: Pipeline
    private let kind: SpanKind
    private let source: LogRecord.SourceLocation
    private let start: Timestamp
    private let state = Locked(State())

    private struct State {
        var status: SpanStatus?
        var isLogged = false
    }

    /// - Parameter start: The start of the span, in nanoseconds since 1970.
    init(pipeline: Pipeline, kind: SpanKind, start: UInt64, function: String, file: String, line: UInt) {
        self.pipeline = pipeline
        self.kind = kind
        self.start = Timestamp(nanoseconds: Int64(clamping: start))
        source = LogRecord.SourceLocation(file: file, function: function, line: UInt32(truncatingIfNeeded: line))
    }

    func note(_ new: SpanStatus) { state.withLock { $0.status = new } }

    /// Logs the span, once.
    ///
    /// - Parameter end: The end of the span, in nanoseconds since 1970.
    func log(_ span: some Tracing.Span, trace: TraceContext?, end: UInt64) {
        let (isFirst, status) = state.withLock { state in
            defer { state.isLogged = true }
            return (!state.isLogged, state.status)
        }
        guard isFirst else { return }
        let isFailed = status?.code == .error
        let end = Timestamp(nanoseconds: Int64(clamping: end))
        var attributes = [
            LogValueEntry("taffrail.span.start", .date(start)),
            LogValueEntry("taffrail.span.duration", .double(Double(end.nanoseconds &- start.nanoseconds) / 1e9)),
            LogValueEntry("taffrail.span.kind", .string("\(kind)")),
            LogValueEntry("taffrail.span.status", isFailed ? "error" : status == nil ? "unset" : "ok"),
        ]
        if let message = status?.message { attributes.append(LogValueEntry("taffrail.span.message", .string(message))) }
        span.attributes.forEach { key, value in attributes.append(LogValueEntry(key, LogValue(value))) }
        // A span with a position has the position of its start; that of its end, which may differ, is left out.
        let hasPlace = attributes.contains { $0.key.isOfPlace }
        if hasPlace {
            let own = Set(attributes.map(\.key))
            attributes += pipeline.contextAttributes.filter { !$0.key.isOfPlace && !own.contains($0.key) }
        }
        pipeline.logger("span").log(
            LogRecord(
                timestamp: end, level: isFailed ? .warning : .info, message: span.operationName, eventName: "span",
                attributes: attributes, source: source, trace: trace), ambient: !hasPlace)
    }
}

extension LogValue {
    /// The value of a span's attribute.
    init(_ value: SpanAttribute) {
        switch value {
        case .int32(let number): self = .int(Int64(number))
        case .int64(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .bool(let isTrue): self = .bool(isTrue)
        case .string(let text): self = .string(text)
        case .int32Array(let numbers): self = .array(numbers.map { .int(Int64($0)) })
        case .int64Array(let numbers): self = .array(numbers.map { .int($0) })
        case .doubleArray(let numbers): self = .array(numbers.map { .double($0) })
        case .boolArray(let values): self = .array(values.map { .bool($0) })
        case .stringArray(let strings): self = .array(strings.map { .string($0) })
        case .stringConvertible(let convertible): self = .string(convertible.description)
        case .stringConvertibleArray(let convertibles): self = .array(convertibles.map { .string($0.description) })
        default: self = .string("\(value)")
        }
    }
}
#endif
