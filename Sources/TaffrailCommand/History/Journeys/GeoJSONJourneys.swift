#if Command && Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore
internal import TaffrailText

/// Visits as points and trips as lines of GeoJSON (RFC 7946), with the properties of `--format json`.
struct GeoJSONJourneys: JourneyMap {
    private let names: HistoryJourneys

    init(_ names: HistoryJourneys) { self.names = names }

    var opening: String { #"{"type":"FeatureCollection","features":["# + "\n" }
    var separator: String { ",\n" }
    var closing: String { "\n]}\n" }

    func text(_ visit: PlaceVisit) -> [UInt8] {
        var properties = names.object(visit)
        properties.add("name", names.name(visit.center))
        properties.add("type", "visit")
        return Self.feature("Point", Self.position(visit.center), properties)
    }

    func text(_ trip: Trip, along route: [WayPoint]) -> [UInt8] {
        var properties = names.object(trip)
        properties.add("name", names.ends(of: trip))
        properties.add("type", "trip")
        properties.add("coordTimes", route.map { RFC3339.string($0.time) })
        // A third number would be the height above the ellipsoid, which is not stored.
        let line = route.map { Self.position($0.coordinate) }.joined(separator: ",")
        return Self.feature("LineString", "[\(line)]", properties)
    }

    private static func position(_ coordinate: Coordinate) -> String {
        "[\(coordinate.longitude),\(coordinate.latitude)]"
    }

    private static func feature(_ type: String, _ coordinates: String, _ properties: JSONObject) -> [UInt8] {
        var geometry = JSONObject()
        geometry.add("type", type)
        geometry.add("coordinates", json: coordinates)
        var feature = JSONObject()
        feature.add("type", "Feature")
        feature.add("geometry", geometry)
        feature.add("properties", properties)
        return feature.closed
    }
}
#endif
