#if SwiftLog
import Logging
import Taffrail
import TaffrailSwiftLog
import TaffrailTesting
import Testing

/// The context of a pipeline as metadata, for other backends of swift-log.
@Suite struct MetadataProviderTests {
    private struct Place: ContextProvider {
        func publish(into slot: Pipeline.ContextSlot) {
            try? slot.publish([
                "geo.location.lat": 55.74, "geo.locality.name": "Harbourtown", "taffrail.geo.simulated": true,
            ])
        }
    }

    @Test func `another backend's events have what the context providers publish`() {
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false, handleSignals: false))
        let provider = Logging.Logger.MetadataProvider.taffrailContext(pipeline)
        #expect(provider.get().isEmpty)
        pipeline.add(Place())
        let metadata = provider.get()
        #expect(metadata["geo.location.lat"] == .stringConvertible(55.74))
        #expect(metadata["geo.locality.name"] == "Harbourtown")
        #expect(metadata["taffrail.geo.simulated"] == .stringConvertible(true))
        #expect(metadata.count == 3)
    }
}
#endif
