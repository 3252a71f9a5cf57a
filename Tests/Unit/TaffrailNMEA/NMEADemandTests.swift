import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailNMEA
@testable import TaffrailTransport

/// The input with `on_demand`.
@Suite(.mayBlock) struct NMEADemandTests {
    @Test func `a receiver is connected while positions are requested`() async throws {
        let server = try StreamServer(host: "127.0.0.1", port: 0)
        let events = GeoEvents()
        let feed = LocationFeed()
        let pipeline = Pipeline(sinks: [GeoEventSink(events)], queue: QueueOptions(durable: false))
        defer { pipeline.shutdown() }
        let options = NMEAOptions(source: "tcp://127.0.0.1:\(server.port)", silence: .hours(1), onDemand: true)
        let input = try NMEAInput(options, feed: feed)
        let task = Task { try await input.run(into: pipeline) }
        for round in 1...2 {
            #expect(server.clientCount == 0)
            let demand = feed.subscribe(accuracy: 10)
            #expect(await eventually { server.clientCount == 1 })
            server.send(NMEAInputTests.epoch(10 + round))
            #expect(await eventually { events.locations.count == round })
            withExtendedLifetime(demand) {}
            feed.setAccuracy(nil, for: demand)
            #expect(await eventually { server.clientCount == 0 })
        }
        #expect(events.errors == [])
        task.cancel()
        try await task.value
    }

    @Test func `a file cannot be read on demand`() throws {
        let text = #"{"source":"/tmp/a.nmea","on_demand":true}"#
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(NMEAOptions.self, from: Data(text.utf8))
        }
        #expect("\(String(describing: error))".contains("has no effect on a file"))
    }
}
