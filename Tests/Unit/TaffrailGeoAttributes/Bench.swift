import Dispatch
import Glibc
import Synchronization
import Taffrail
import TaffrailGeo
import TaffrailGeoTesting
import TaffrailLocationManager
import TaffrailTestSupport
import TaffrailTesting

@testable import TaffrailGeoAttributes

/// A pipeline with the context, a feed and a clock that belong to one test.
final class Bench: Sendable {
    static let pier = Coordinate(latitude: 55.7412345, longitude: 12.6212345)

    let folder: TemporaryDirectory
    let feed = LocationFeed()
    let application = ApplicationState()
    let clock = ManualClock()
    let sink = MemorySink()
    let pipeline: Pipeline
    /// The managers that were asked for a fix, one for each request.
    let asked = Locked<[MockLocationManager]>([])
    private let running = Locked<Pipeline.Running?>(nil)

    init(guards: [any AttributeGuard] = [], folder: TemporaryDirectory? = nil) throws {
        self.folder = folder ?? TemporaryDirectory()
        pipeline = Pipeline(
            guards: guards, sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
    }

    deinit { pipeline.shutdown() }

    /// The context's file.
    var file: String { folder.file(".taffrail/geo-attributes.json") }

    var requests: Int { asked.withLock { $0.count } }

    func context(
        _ options: GeoAttributesOptions = GeoAttributesOptions(), grants: AuthorizationStatus = .authorizedAlways,
        geocoder: OfflineGeocoder? = nil, nominatim: NominatimGeocoder? = nil
    ) -> GeoAttributesContext<ManualClock> {
        let surroundings = GeoAttributesContext<ManualClock>.Surroundings(
            names: PlaceNames(geocoder: geocoder, nominatim: nominatim), feed: feed, application: application,
            now: { [clock] in clock.nanoseconds },
            makeManager: { [weak self] queue in
                let mock = MockLocationManager(grants: grants, queue: queue)
                self?.asked.withLock { $0.append(mock) }
                return mock.manager
            })
        return GeoAttributesContext(options, file: FixFile(file), surroundings: surroundings, clock: clock)
    }

    /// Starts a context in the pipeline.
    @discardableResult
    func start(
        _ options: GeoAttributesOptions = GeoAttributesOptions(), grants: AuthorizationStatus = .authorizedAlways,
        geocoder: OfflineGeocoder? = nil, nominatim: NominatimGeocoder? = nil
    ) -> Pipeline.Running {
        let started = Pipeline.Running(pipeline)
        started.start(
            context(options, grants: grants, geocoder: geocoder, nominatim: nominatim), named: "geo-attributes")
        return started
    }

    /// Publishes a fix, as an input does.
    func publish(_ location: Location) { feed.publish(.location(location)) }

    /// A fix at a distance in metres north of the pier, at the clock's time.
    func fix(north distance: Double = 0, accuracy: Double? = 4.5) -> Location {
        let coordinate = Geodesy.destination(from: Self.pier, bearing: 0, distance: distance)
        var location = Location(coordinate: coordinate, timestamp: clock.now.timestamp)
        location.horizontalAccuracy = accuracy
        return location
    }

    /// Logs a record and returns it as received by the sink.
    func logged(_ message: String = "m") -> LogRecord? {
        pipeline.logger.info("\(message)")
        pipeline.drain()
        return sink.records.last
    }

    /// The latitude that a record gets now.
    var latitude: Double? {
        guard case .double(let latitude)? = logged()?["geo.location.lat"] else { return nil }
        return latitude
    }

    /// Whether a record gets anything about a place now.
    var isLocated: Bool { logged()?.attributes.contains { $0.key.contains("geo.") } == true }
}

extension Location {
    /// Whether a record's latitude is this one's.
    func isAt(_ latitude: Double?) -> Bool { coordinate.latitude == latitude }
}
