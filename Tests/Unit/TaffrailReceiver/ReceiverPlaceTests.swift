#if Server
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailReceiver
@testable import TaffrailServer

/// `GET /places`: the places of the configuration, but for what the log hides from its readers.
@Suite(.mayBlock) struct ReceiverPlaceTests {
    private static func place(_ name: String, _ latitude: Double, radius: Double = 100) -> NamedPlace {
        NamedPlace(name: name, center: Coordinate(latitude: latitude, longitude: 12), radius: radius)
    }

    private static let places = [
        place("harbour", 55), place("Home", 56), place("cottage", 57), place("club", 58), place("island", 59),
    ]

    /// Hides and coarsens positions, as zones of `privacy` do it.
    private struct Zones: AttributeGuard {
        var watchedNames: Set<String> { [GeoAttributes.latitude] }
        func review(_ attributes: inout GuardedAttributes) -> Verdict {
            guard case .double(let latitude)? = attributes.attributes.first?.value else { return .keep }
            // The edge of one, and all of another.
            if latitude > 58.0005, latitude < 58.1 { return .drop }
            if Int(latitude.rounded()) == 59 { attributes.attributes[0].value = .double(59.25) }
            return .keep
        }
    }

    private static func names(_ receiver: Receiver) async throws -> [String] {
        let answer = try await receiver.answer("GET", "/places")
        #expect(answer.status == 200)
        let json = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: [[String: Any]]]
        return try #require(json?["places"]).compactMap { $0["name"] as? String }
    }

    @Test func `readers do not see the home and places in privacy zones, those who may control see all`() async throws {
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false, handleSignals: false))
        pipeline.setRedaction { pipeline.redaction.set([], guards: [Zones()]) }
        var settings = Receiver.Settings.inMemory
        settings.places = Self.places
        #expect(try await Self.names(Receiver(settings, into: pipeline)) == ["harbour", "cottage"])
        // The home that was set lies in another place.
        let registration = pipeline.handleCommands(for: "home") { command in
            #expect(command.name == "show")
            return ControlCommand.Answer([
                LogValueEntry("latitude", .double(57.0003)), LogValueEntry("longitude", .double(12)),
            ])
        }
        #expect(try await Self.names(Receiver(settings, into: pipeline)) == ["harbour"])
        settings.anonymous = Access(roles: [.read, .control])
        #expect(try await Self.names(Receiver(settings, into: pipeline)) == Self.places.map(\.name))
        settings.anonymous = Access(roles: [.ingest])
        #expect(try await Receiver(settings, into: pipeline).answer("GET", "/places").status == 403)
        registration.end()
        _ = try await blocking { pipeline.shutdown() }
    }

    @Test func `without places the list is empty, and a place is as in the configuration`() async throws {
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false, handleSignals: false))
        var settings = Receiver.Settings.inMemory
        #expect(
            try await Receiver(settings, into: pipeline).answer("GET", "/places").body == Array(#"{"places":[]}"#.utf8))
        settings.places = [Self.place("<pier> \"3\"", 55.5, radius: 250)]
        let answer = try await Receiver(settings, into: pipeline).answer("GET", "/places")
        let json = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: [[String: Any]]]
        let place = try #require(json?["places"]?.first)
        #expect(place["name"] as? String == "<pier> \"3\"" && place["lat"] as? Double == 55.5)
        #expect(place["lon"] as? Double == 12 && place["radius"] as? Double == 250)
        _ = try await blocking { pipeline.shutdown() }
    }
}
#endif
