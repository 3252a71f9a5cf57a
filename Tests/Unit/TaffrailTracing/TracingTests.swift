#if Tracing && SwiftLog
import Foundation
import InMemoryTracing
import Logging
import Synchronization
import Taffrail
import TaffrailGeoRecorder
import TaffrailRecording
import TaffrailSwiftLog
import TaffrailTestSupport
import TaffrailTracing
import Testing
import Tracing

/// Spans with the position, and records with the span.
@Suite(.mayBlock) struct TracingTests {
    /// Counts from 1.
    private final class Numbers: Sendable {
        private let last = Atomic<UInt64>(0)
        var next: UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    /// A tracer whose identities are those of W3C Trace Context.
    private static func tracer() -> InMemoryTracer {
        let numbers = Numbers()
        return InMemoryTracer(
            idGenerator: .init(
                nextTraceID: { TraceContext.TraceID(high: 0xABC, low: numbers.next).description },
                nextSpanID: { TraceContext.SpanID(numbers.next).description }))
    }

    /// Its identities, which it injects under its own names.
    private static func identities(_ context: InstrumentationContext) -> TraceContext? {
        guard let span = context.inMemorySpanContext, let trace = TraceContext.TraceID(span.traceID),
            let id = TraceContext.SpanID(span.spanID)
        else { return nil }
        return TraceContext(traceID: trace, spanID: id, flags: .sampled)
    }

    /// A tracer that injects the header of W3C Trace Context, as those of servers do.
    private struct HeaderTracer: Tracer {
        let base = TracingTests.tracer()

        func startSpan<Instant: TracerInstant>(
            _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
            at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
        ) -> InMemorySpan {
            base.startSpan(
                operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
                line: line)
        }

        func activeSpan(identifiedBy context: InstrumentationContext) -> InMemorySpan? {
            base.activeSpan(identifiedBy: context)
        }

        @available(*, deprecated, message: "not used")
        func forceFlush() {}

        func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
        ) where Extract.Carrier == Carrier {}

        func inject<Carrier, Inject: Injector>(
            _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
        ) where Inject.Carrier == Carrier {
            guard let span = context.inMemorySpanContext else { return }
            injector.inject("00-\(span.traceID)-\(span.spanID)-01", forKey: "Traceparent", into: &carrier)
        }
    }

    @Test func `by default the identities are those of the header that the tracer injects`() throws {
        let sink = MemorySink()
        let pipeline = Self.pipeline(sink)
        let header = HeaderTracer()
        let tracer = LocatedTracer(header, pipeline: pipeline)
        tracer.withSpan("cast off") { _ in pipeline.logger.info("inside") }
        // One that injects no such header.
        LocatedTracer(Self.tracer(), pipeline: pipeline).withSpan("sail") { _ in pipeline.logger.info("elsewhere") }
        pipeline.shutdown()
        let span = try #require(header.base.finishedSpans.first)
        let trace = try #require(sink.records.first?.trace)
        #expect(trace.traceID.description == span.traceID && trace.spanID.description == span.spanID)
        #expect(trace.flags == .sampled && sink.records.last?.trace == nil)
    }

    private struct Place: ContextProvider {
        func publish(into slot: Pipeline.ContextSlot) {
            try? slot.publish([
                "geo.location.lat": 55.74, "geo.location.lon": 12.62, "geo.locality.name": "Harbourtown",
                "taffrail.geo.simulated": true, "ship": "Gudrun",
            ])
        }
    }

    private static func pipeline(_ sink: MemorySink) -> Pipeline {
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        pipeline.add(Place())
        return pipeline
    }

    @Test func `a span has the position at its start, and nothing else of the context`() throws {
        let base = Self.tracer()
        let tracer = LocatedTracer(base, pipeline: Self.pipeline(MemorySink()), traceContext: Self.identities)
        tracer.withSpan("cast off") { span in span.attributes["pier"] = 4 }
        let span = try #require(base.finishedSpans.first)
        #expect(span.operationName == "cast off")
        #expect(span.attributes["geo.location.lat"]?.toSpanAttribute() == 55.74)
        #expect(span.attributes["geo.location.lon"]?.toSpanAttribute() == 12.62)
        #expect(span.attributes["geo.locality.name"]?.toSpanAttribute() == "Harbourtown")
        #expect(span.attributes["taffrail.geo.simulated"]?.toSpanAttribute() == true)
        #expect(span.attributes["pier"]?.toSpanAttribute() == 4)
        #expect(span.attributes["ship"] == nil)
    }

    @Test func `records in a span have its trace, natively and through swift-log, and those outside have none`()
        async throws
    {
        let sink = MemorySink()
        let pipeline = Self.pipeline(sink)
        let tracer = LocatedTracer(Self.tracer(), pipeline: pipeline, traceContext: Self.identities)
        let other = Logging.Logger(label: "db") { TaffrailLogHandler(label: $0, pipeline: pipeline) }
        pipeline.logger.info("before")
        await tracer.withSpan("outer") { outer in
            pipeline.logger.info("in outer")
            await Task.yield()
            tracer.withSpan("inner") { inner in
                other.info("in inner")
                #expect(outer.base.traceID == inner.base.traceID && outer.base.spanID != inner.base.spanID)
                pipeline.logger.log(LogRecord(level: .info, message: "replayed"), ambient: false)
            }
            pipeline.logger.info("in outer again")
        }
        pipeline.logger.info("after")
        #expect(try await blocking { pipeline.shutdown() })
        let records = Dictionary(sink.records.map { ($0.message, $0) }) { one, _ in one }
        let outer = try #require(records["in outer"]?.trace)
        let inner = try #require(records["in inner"]?.trace)
        #expect(records["in outer again"]?.trace == outer && inner.traceID == outer.traceID)
        #expect(inner.spanID != outer.spanID && outer.flags == .sampled)
        #expect(records["before"]?.trace == nil && records["after"]?.trace == nil && records["replayed"]?.trace == nil)
        #expect(records["in inner"]?["geo.locality.name"] == "Harbourtown")
    }

    @Test func `a span that ends is a record if requested`() throws {
        struct Aground: Error {}
        let sink = MemorySink()
        let pipeline = Self.pipeline(sink)
        let tracer = LocatedTracer(
            Self.tracer(), pipeline: pipeline, logsSpans: true, traceContext: Self.identities)
        tracer.withSpan("cast off", ofKind: .server) { span in
            span.attributes["pier"] = 4
            pipeline.logger.info("inside")
        }
        #expect(throws: Aground.self) { try tracer.withSpan("sail") { _ in throw Aground() } }
        pipeline.shutdown()
        let spans = sink.records.filter { $0.eventName == "span" }
        #expect(spans.map(\.message) == ["cast off", "sail"] && spans.map(\.level) == [.info, .warning])
        let first = try #require(spans.first)
        #expect(
            first["pier"] == 4 && first["taffrail.span.kind"] == "server" && first["taffrail.span.status"] == "unset")
        #expect(first["geo.location.lat"] == 55.74 && first.attributes.count { $0.key == "geo.location.lat" } == 1)
        #expect(first.trace != nil && first.trace == sink.records.first { $0.message == "inside" }?.trace)
        guard case .double(let seconds)? = first["taffrail.span.duration"] else {
            Issue.record("no duration")
            return
        }
        #expect(seconds >= 0 && seconds < 60)
        #expect(spans.last?["taffrail.span.status"] == "error")
    }

    @Test func `a recording with logs has the requests of a program`() throws {
        let folder = TemporaryDirectory()
        var options = RecordingOptions(directory: folder.file("drives"))
        options.includesLogs = true
        let pipeline = Pipeline(
            sinks: [GeoRecorderSink(GeoRecorderOptions(options), name: "geo-recorder")],
            queue: QueueOptions(durable: false, handleSignals: false))
        let tracer = LocatedTracer(Self.tracer(), pipeline: pipeline, logsSpans: true, traceContext: Self.identities)
        tracer.withSpan("GET /orders", ofKind: .server) { $0.attributes["http.response.status_code"] = 503 }
        pipeline.shutdown()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("drives"))
            .filter { $0.hasSuffix(".json") }
        #expect(files.count == 1, "\(files)")
        let text = files.map { folder.text("drives/\($0)") }.joined()
        for part in ["GET /orders", "\"span\"", "http.response.status_code", "taffrail.span.duration"] {
            #expect(text.contains(part), "\(text) has no \(part)")
        }
    }

    @Test func `a pipeline that has a trace source keeps it`() {
        let pipeline = Self.pipeline(MemorySink())
        let own = TraceContext(traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3))
        pipeline.traceSource = { own }
        let tracer = LocatedTracer(Self.tracer(), pipeline: pipeline, traceContext: Self.identities)
        tracer.withSpan("a") { _ in #expect(pipeline.traceSource?() == own) }
    }

    @Test(arguments: [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
        ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", true),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
        ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
        ("00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01", false), ("", false), ("---", false),
    ]) func `a traceparent is read as W3C has it`(text: String, isValid: Bool) {
        let context = TraceContext(traceparent: text)
        #expect((context != nil) == isValid)
        if isValid {
            #expect(context?.traceID.description == "0af7651916cd43dd8448eb211c80319c")
            #expect(context?.spanID.description == "b7ad6b7169203331" && context?.flags == .sampled)
        }
    }
}
#endif
