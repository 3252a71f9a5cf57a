#if Tracing
public import Taffrail
public import Tracing

/// Wraps a tracer: its spans get the position of this machine, and records logged within them get the trace.
///
///     InstrumentationSystem.bootstrap(LocatedTracer(tracer))
///
/// When a span starts, it gets the attributes that the pipeline's context providers publish under `geo.…` and
/// `taffrail.geo.…`: the position, with `geo-attributes`. It gets none if the underlying tracer sets a position, and
/// loses it when the caller sets one. Records logged within it, natively or through swift-log, get the identities of
/// trace and span, if the tracer uses W3C Trace Context.
public struct LocatedTracer<Base: Tracer>: Tracer {
    /// The underlying tracer.
    public let base: Base
    private let pipeline: Pipeline
    private let logsSpans: Bool
    private let traceContext: @Sendable (InstrumentationContext) -> TraceContext?

    /// Wraps a tracer, and makes the pipeline take traces from its spans, unless the pipeline has a
    /// `Pipeline.traceSource`.
    ///
    /// - Parameters:
    ///   - base: The underlying tracer.
    ///   - pipeline: The pipeline whose context providers are used and whose records get the trace.
    ///   - logsSpans: Whether each span that ends is logged as a record `span`. Default `false`.
    ///   - traceContext: The identities of a span, given its context; called once for each span. Default: those of the
    ///     header `traceparent` that the tracer injects.
    public init(
        _ base: Base, pipeline: Pipeline = .shared, logsSpans: Bool = false,
        traceContext: (@Sendable (InstrumentationContext) -> TraceContext?)? = nil
    ) {
        self.base = base
        self.pipeline = pipeline
        self.logsSpans = logsSpans
        self.traceContext = traceContext ?? { Self.injected($0, by: base) }
        if pipeline.traceSource == nil {
            pipeline.traceSource = { InstrumentationContext.current?[SpanNotes.Key.self]?.trace }
        }
    }

    /// Starts a span of the underlying tracer, with the current position.
    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> LocatedSpan<Base.Span> {
        let start = instant()
        let span = base.startSpan(
            operationName, context: context(), ofKind: kind, at: start, function: function, file: fileID, line: line)
        var notes = SpanNotes(trace: traceContext(span.context))
        if span.isRecording, !span.attributes.hasPlace {
            for entry in pipeline.contextAttributes where entry.key.isOfPlace { notes.place.add(entry) }
            if !notes.place.isEmpty { span.updateAttributes { $0.merge(notes.place) } }
        }
        if logsSpans {
            notes.recorder = SpanRecorder(
                pipeline: pipeline, kind: kind, start: start.nanosecondsSinceEpoch, function: function, file: fileID,
                line: line)
        }
        return LocatedSpan(base: span, notes: notes)
    }

    /// Returns the span of a context.
    public func activeSpan(identifiedBy context: InstrumentationContext) -> LocatedSpan<Base.Span>? {
        base.activeSpan(identifiedBy: context).map { span in
            let trace = traceContext(span.context)
            // The context may be that of another tracer's span within this one.
            if let notes = context[SpanNotes.Key.self], trace == nil || notes.trace == trace {
                return LocatedSpan(base: span, notes: notes)
            }
            return LocatedSpan(base: span, notes: SpanNotes(trace: trace))
        }
    }

    /// Makes the underlying tracer export its spans. The protocol still requires this function.
    @available(*, deprecated, message: "flush the other tracer")
    public func forceFlush() { base.forceFlush() }

    /// Forwards to the underlying tracer.
    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        base.extract(carrier, into: &context, using: extractor)
    }

    /// Forwards to the underlying tracer.
    public func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        base.inject(context, into: &carrier, using: injector)
    }

    private static func injected(_ context: InstrumentationContext, by tracer: Base) -> TraceContext? {
        var headers: [String: String] = [:]
        tracer.inject(context, into: &headers, using: HeaderInjector())
        return headers["traceparent"].flatMap { TraceContext(traceparent: $0) }
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
        carrier[key.lowercased()] = value
    }
}

extension SpanAttributes {
    /// Adds an attribute of a record; a type that spans do not have becomes a string.
    fileprivate mutating func add(_ entry: LogValueEntry) {
        switch entry.value {
        case .double(let number): self[entry.key] = number
        case .int(let number): self[entry.key] = number
        case .bool(let isTrue): self[entry.key] = isTrue
        default: self[entry.key] = entry.value.description
        }
    }
}
#else
/// Needs the trait `Tracing`.
@available(*, unavailable, message: "enable the trait Tracing: .package(…, traits: [\"Tracing\"])")
public struct LocatedTracer {
    /// Needs the trait `Tracing`.
    public init() {}
}
#endif
