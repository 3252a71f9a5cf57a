#if Tracing
internal import Taffrail
public import Tracing

/// A span of a ``LocatedTracer``: the underlying tracer's span, whose context also contains the identities for records.
public struct LocatedSpan<Base: Tracing.Span>: Tracing.Span {
    /// The underlying tracer's span.
    public let base: Base
    private let trace: TraceContext?
    private let journal: SpanJournal?

    init(base: Base, trace: TraceContext?, journal: SpanJournal?) {
        self.base = base
        self.trace = trace
        self.journal = journal
    }

    /// The underlying span's context, with the identities.
    public var context: InstrumentationContext {
        var context = base.context
        if let trace { context[TraceContextKey.self] = trace }
        return context
    }

    /// The name of the operation.
    public var operationName: String {
        get { base.operationName }
        nonmutating set { base.operationName = newValue }
    }

    /// The attributes, the position among them.
    public var attributes: SpanAttributes {
        get { base.attributes }
        nonmutating set { base.attributes = newValue }
    }

    /// Whether the span is sampled and has not ended.
    public var isRecording: Bool { base.isRecording }

    /// Sets the status.
    public func setStatus(_ status: SpanStatus) {
        base.setStatus(status)
        journal?.note(status)
    }

    /// Adds an event.
    public func addEvent(_ event: SpanEvent) { base.addEvent(event) }

    /// Adds an error.
    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        base.recordError(error, attributes: attributes, at: instant())
    }

    /// Adds a link to another span.
    public func addLink(_ link: SpanLink) { base.addLink(link) }

    /// Ends the span, and logs it if that is enabled.
    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant()
        if let journal, base.isRecording { journal.log(base, trace: trace, end: end.nanosecondsSinceEpoch) }
        base.end(at: end)
    }
}
#endif
