#if Tracing
internal import Taffrail
public import Tracing

/// A span of a ``LocatedTracer``: the underlying tracer's span, whose context also contains the identities for records.
public struct LocatedSpan<Base: Tracing.Span>: Tracing.Span {
    /// The underlying tracer's span.
    public let base: Base
    private let notes: SpanNotes

    init(base: Base, notes: SpanNotes) {
        self.base = base
        self.notes = notes
    }

    /// The underlying span's context, with the identities.
    public var context: InstrumentationContext {
        var context = base.context
        var notes = notes
        // A span without identities is part of the enclosing span.
        notes.trace = notes.trace ?? context[SpanNotes.Key.self]?.trace
        context[SpanNotes.Key.self] = notes
        return context
    }

    /// The name of the operation.
    public var operationName: String {
        get { base.operationName }
        nonmutating set { base.operationName = newValue }
    }

    /// The attributes, including the position at the start. Setting one whose name starts with `geo.` removes that
    /// position.
    public var attributes: SpanAttributes {
        get { base.attributes }
        nonmutating set { base.attributes = notes.separated(newValue) }
    }

    /// Whether the span is sampled and has not ended.
    public var isRecording: Bool { base.isRecording }

    /// Sets the status.
    public func setStatus(_ status: SpanStatus) {
        base.setStatus(status)
        notes.recorder?.note(status)
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
        if let recorder = notes.recorder, base.isRecording {
            recorder.log(base, trace: notes.trace, end: end.nanosecondsSinceEpoch)
        }
        base.end(at: end)
    }
}
#endif
