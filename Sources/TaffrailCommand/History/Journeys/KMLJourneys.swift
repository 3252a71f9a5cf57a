#if Command && Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore
internal import TaffrailText

/// Visits as points and trips as tracks with times, each a placemark of KML 2.2.
struct KMLJourneys: JourneyMap {
    private let names: HistoryJourneys

    init(_ names: HistoryJourneys) { self.names = names }

    var opening: String {
        var text: [UInt8] = []
        KMLDocument.begin("history", to: &text)
        return String(decoding: text, as: UTF8.self)
    }
    var separator: String { "" }
    var closing: String { "</Document></kml>\n" }

    func text(_ visit: PlaceVisit) -> [UInt8] {
        var text: [UInt8] = []
        Self.begin(names.name(visit.center), names.summary(visit), &text)
        Self.add((visit.arrival, visit.isOpen ? nil : visit.departure), &text)
        Self.add([("device", visit.device), ("duration", HistoryJourneys.seconds(visit.duration))], &text)
        text.append("<Point><coordinates>")
        text.append(real: visit.center.longitude, exponent: false)
        text.append(",")
        text.append(real: visit.center.latitude, exponent: false)
        text.append("</coordinates></Point></Placemark>\n")
        return text
    }

    func text(_ trip: Trip, along route: [WayPoint]) -> [UInt8] {
        var text: [UInt8] = []
        Self.begin(names.ends(of: trip), names.summary(trip), &text)
        Self.add((trip.departure, trip.end == .open ? nil : trip.arrival), &text)
        let length = ("distance", "\(trip.distance)")
        Self.add([("device", trip.device), ("duration", HistoryJourneys.seconds(trip.duration)), length], &text)
        // An unknown altitude must not look like 0: such a track is clamped to the ground.
        let hasAltitudes = route.allSatisfy { $0.altitude != nil }
        KMLTrack.begin(hasAltitudes: hasAltitudes, to: &text)
        for point in route {
            KMLTrack.append(
                point.coordinate, altitude: hasAltitudes ? point.altitude ?? 0 : 0, at: point.time, to: &text)
        }
        text.append("</gx:Track></Placemark>\n")
        return text
    }

    private static func begin(_ name: String, _ summary: String, _ text: inout [UInt8]) {
        text.append("<Placemark>")
        text.append(element: "name", name)
        text.append(element: "description", summary)
    }

    private static func add(_ span: (begin: Timestamp, end: Timestamp?), _ text: inout [UInt8]) {
        text.append("<TimeSpan><begin>")
        RFC3339.append(span.begin, to: &text)
        text.append("</begin>")
        if let end = span.end {
            text.append("<end>")
            RFC3339.append(end, to: &text)
            text.append("</end>")
        }
        text.append("</TimeSpan>")
    }

    private static func add(_ values: [(name: String, value: String)], _ text: inout [UInt8]) {
        text.append("<ExtendedData>")
        for (name, value) in values {
            text.append(contentsOf: "<Data name=\"\(name)\"><value>".utf8)
            text.append(xml: value)
            text.append("</value></Data>")
        }
        text.append("</ExtendedData>")
    }
}
#endif
