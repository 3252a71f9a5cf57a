#if Tracing
import InMemoryTracing
import Taffrail
import TaffrailGeoAttributes
import TaffrailTracing
import Tracing

// The code of the pages about positions in records and spans; `ArticleTests` compares them. It is compiled, not run.

private func instrument() {
    Pipeline.shared.instrument { config in
        config.location { $0.enabled(true) }
    }
}

private func trace(by tracer: InMemoryTracer) {
    InstrumentationSystem.bootstrap(LocatedTracer(tracer))
}
#endif
