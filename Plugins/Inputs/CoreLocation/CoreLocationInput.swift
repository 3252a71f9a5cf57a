#if canImport(CoreLocation)
internal import CoreLocation
public import Taffrail
public import TaffrailGeo

/// Positions from CoreLocation: each fix a record with event name `geo.location`, each failure one `geo.error`.
///
/// What is logged is also published in a feed, to which a ``LocationManager`` listens.
public struct CoreLocationInput: Input {
    private let options: CoreLocationOptions
    private let feed: LocationFeed

    /// Makes an input; it asks CoreLocation when it runs.
    public init(_ options: CoreLocationOptions = CoreLocationOptions(), feed: LocationFeed = .shared) {
        self.options = options
        self.feed = feed
        feed.attachInput()
    }

    /// Logs until the task is cancelled.
    public func run(into pipeline: Pipeline) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: GeoEvent.self)
        let source = await MainActor.run { CoreLocationSource(options, feed: feed) { continuation.yield($0) } }
        for await event in events {
            event.log(into: pipeline)
            feed.publish(event)
        }
        await MainActor.run { source.stop() }
    }
}

@MainActor private final class CoreLocationSource: NSObject, @preconcurrency CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let feed: LocationFeed
    private let emit: (GeoEvent) -> Void

    init(_ options: CoreLocationOptions, feed: LocationFeed, emit: @escaping (GeoEvent) -> Void) {
        self.feed = feed
        self.emit = emit
        super.init()
        manager.delegate = self
        manager.desiredAccuracy = options.accuracy > 0 ? options.accuracy : kCLLocationAccuracyBest
        manager.distanceFilter = options.distance > 0 ? options.distance : kCLDistanceFilterNone
        manager.startUpdatingLocation()
    }

    func stop() { manager.stopUpdatingLocation() }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations { if let location = Location(location) { emit(.location(location)) } }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        let error = error as NSError
        emit(.error(GeoError(domain: error.domain, code: error.code, description: error.localizedDescription)))
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        feed.setAuthorization(AuthorizationStatus(rawValue: Int(manager.authorizationStatus.rawValue)) ?? .restricted)
    }
}

extension Location {
    /// The same fix; `nil` when its position is invalid.
    fileprivate init?(_ location: CLLocation) {
        let coordinate = Coordinate(latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
        guard location.horizontalAccuracy >= 0, coordinate.isValid else { return nil }
        self.init(coordinate: coordinate, timestamp: Timestamp(location.timestamp))
        horizontalAccuracy = location.horizontalAccuracy
        if location.verticalAccuracy > 0 {
            altitude = location.altitude
            ellipsoidalAltitude = location.ellipsoidalAltitude
            verticalAccuracy = location.verticalAccuracy
        }
        if location.course >= 0, location.courseAccuracy >= 0 {
            course = location.course
            courseAccuracy = location.courseAccuracy
        }
        if location.speed >= 0, location.speedAccuracy >= 0 {
            speed = location.speed
            speedAccuracy = location.speedAccuracy
        }
        floor = location.floor?.level
        sourceInformation = location.sourceInformation.map {
            SourceInformation(
                isSimulatedBySoftware: $0.isSimulatedBySoftware, isProducedByAccessory: $0.isProducedByAccessory)
        }
    }
}
#endif
