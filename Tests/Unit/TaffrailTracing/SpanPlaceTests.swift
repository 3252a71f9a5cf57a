#if Tracing
import InMemoryTracing
import Taffrail
import TaffrailTestSupport
import TaffrailTracing
import Testing
import Tracing

/// The position of a span, which is one position, and the record of a span that others end.
@Suite(.mayBlock) struct SpanPlaceTests {
    /// The position, which a test changes.
    private final class Place: ContextProvider {
        let slot = Locked<Pipeline.ContextSlot?>(nil)
        func publish(into slot: Pipeline.ContextSlot) { self.slot.withLock { $0 = slot } }
        func move(_ attributes: LogAttributes) { try? slot.withLock { $0 }?.publish(attributes) }
    }

    private let sink = MemorySink()
    private let base = InMemoryTracer()
    private let place = Place()
    private let pipeline: Pipeline
    private var tracer: LocatedTracer<InMemoryTracer> { LocatedTracer(base, pipeline: pipeline, logsSpans: true) }

    init() {
        pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        pipeline.add(place)
        place.move([
            "geo.location.lat": 55.74, "geo.location.lon": 12.62, "geo.locality.name": "Harbourtown",
            "taffrail.geo.simulated": true, "ship": "Gudrun",
        ])
    }

    /// The names of a span's attributes of places.
    private func names(_ span: FinishedInMemorySpan) -> Set<String> {
        var names: Set<String> = []
        span.attributes.forEach { key, _ in if key.contains("geo.") { names.insert(key) } }
        return names
    }

    @Test func `a position that the caller sets is not completed by another one`() throws {
        tracer.withSpan("half") { $0.attributes["geo.location.lat"] = 1.0 }
        tracer.withSpan("whole") { span in
            span.attributes["pier"] = 4
            span.attributes["geo.location.lat"] = 1.0
            span.attributes["geo.location.lon"] = 2.0
        }
        tracer.withSpan("by another") { _ in
            let found = tracer.activeSpan(identifiedBy: InstrumentationContext.current ?? .topLevel)
            found?.updateAttributes { $0["geo.country.iso_code"] = "SE" }
        }
        let spans = base.finishedSpans
        #expect(spans.map(\.operationName) == ["half", "whole", "by another"])
        try #require(spans.count == 3)
        #expect(names(spans[0]) == ["geo.location.lat"] && names(spans[2]) == ["geo.country.iso_code"])
        #expect(names(spans[1]) == ["geo.location.lat", "geo.location.lon"])
        #expect(spans[1].attributes["geo.location.lon"]?.toSpanAttribute() == 2.0)
        #expect(spans[1].attributes["pier"]?.toSpanAttribute() == 4)
        pipeline.shutdown()
        let record = try #require(sink.records.first { $0.message == "half" })
        #expect(record["geo.location.lat"] == 1.0 && record["geo.location.lon"] == nil && record["ship"] == "Gudrun")
    }

    @Test func `a position of the other tracer is kept`() throws {
        // The inner tracer has given its spans a position already.
        let inner = LocatedTracer(base, pipeline: pipeline)
        let elsewhere = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false, handleSignals: false))
        let other = Place()
        elsewhere.add(other)
        other.move(["geo.location.lat": 1.0])
        LocatedTracer(inner, pipeline: elsewhere).withSpan("sail") { _ in }
        #expect(base.finishedSpans.first?.attributes["geo.location.lat"]?.toSpanAttribute() == 55.74)
        elsewhere.shutdown()
        pipeline.shutdown()
    }

    @Test func `the record of a span has the place of its start, and nothing of that of its end`() throws {
        place.move(["taffrail.geo.place": "home", "ship": "Gudrun"])
        tracer.withSpan("cast off") { _ in
            place.move(["geo.location.lat": 55.74, "geo.location.lon": 12.62, "ship": "Gudrun"])
        }
        pipeline.shutdown()
        let record = try #require(sink.records.first { $0.eventName == "span" })
        #expect(record["taffrail.geo.place"] == "home" && record["ship"] == "Gudrun")
        #expect(record["geo.location.lat"] == nil && record["geo.location.lon"] == nil)
    }

    @Test func `a span that another function finds in its context is logged once, with its status and its start`()
        throws
    {
        let start = Timestamp.now.nanoseconds - 90_000_000_000
        let instant = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(start))
        let span = tracer.startSpan("sail", context: .topLevel, at: instant)
        let found = try #require(tracer.activeSpan(identifiedBy: span.context))
        found.setStatus(SpanStatus(code: .error, message: "aground"))
        found.end()
        span.end()
        pipeline.shutdown()
        let records = sink.records.filter { $0.eventName == "span" }
        #expect(records.count == 1 && records.first?["taffrail.span.status"] == "error")
        #expect(records.first?["taffrail.span.message"] == "aground")
        guard case .double(let seconds)? = records.first?["taffrail.span.duration"] else {
            Issue.record("no duration")
            return
        }
        #expect(seconds >= 90)
    }
}
#endif
