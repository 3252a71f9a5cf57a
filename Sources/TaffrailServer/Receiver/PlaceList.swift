internal import Taffrail
internal import TaffrailGeo

/// The places of the configuration, for the map of the viewer.
///
/// The home, and places at whose centre or edge privacy zones hide or coarsen positions, are returned only to clients
/// with the role `control`, which `POST /control/home` requires too.
struct PlaceList {
    private let places: [NamedPlace]
    private let pipeline: Pipeline

    /// - Parameters:
    ///   - places: The places of the configuration.
    ///   - pipeline: The pipeline, which contains the privacy zones and the home.
    init(_ places: [NamedPlace], of pipeline: Pipeline) {
        self.places = places
        self.pipeline = pipeline
    }

    /// Returns the places that a client may see. Blocks.
    func answer(for access: Access) -> ServerAnswer {
        var seen = places
        if !access.roles.contains(.control) {
            let home = home
            seen.removeAll { place in
                place.name.lowercased() == "home" || isHidden(place)
                    || home.map { place.center.distance(to: $0) <= max(place.radius, 100) } == true
            }
        }
        let values = seen.map { place in
            LogValue.map([
                LogValueEntry("name", .string(place.name)), LogValueEntry("lat", .double(place.center.latitude)),
                LogValueEntry("lon", .double(place.center.longitude)), LogValueEntry("radius", .double(place.radius)),
            ])
        }
        return .json([LogValueEntry("places", .array(values))])
    }

    /// The position of the home; `nil`: unknown.
    private var home: Coordinate? {
        guard pipeline.commandedInstances.contains("home"),
            let fields = try? pipeline.execute(ControlCommand("show"), by: "home").fields,
            case .double(let latitude)? = fields.first(where: { $0.key == "latitude" })?.value,
            case .double(let longitude)? = fields.first(where: { $0.key == "longitude" })?.value
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Returns whether a position at the centre or the edge of the place would be hidden or changed in the log.
    private func isHidden(_ place: NamedPlace) -> Bool {
        let edge = (0..<8).map {
            Geodesy.destination(from: place.center, bearing: 45 * Double($0), distance: place.radius)
        }
        return ([place.center] + edge).contains { !isKept($0) }
    }

    private func isKept(_ coordinate: Coordinate) -> Bool {
        let attributes = [
            LogValueEntry(GeoAttributes.latitude, .double(coordinate.latitude)),
            LogValueEntry(GeoAttributes.longitude, .double(coordinate.longitude)),
        ]
        let record = LogRecord(
            level: .info, message: "", eventName: GeoAttributes.locationEvent, attributes: attributes,
            logger: AccessAudit.logger)
        return pipeline.reviewed(record)?.attributes == attributes
    }
}
