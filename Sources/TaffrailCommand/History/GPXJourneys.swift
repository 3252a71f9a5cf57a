#if Command && Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore
internal import TaffrailText

/// Visits as waypoints and trips as tracks of GPX 1.1, valid by its schema.
struct GPXJourneys: JourneyMap {
    private let names: HistoryJourneys

    init(_ names: HistoryJourneys) { self.names = names }

    var opening: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Taffrail" xmlns="http://www.topografix.com/GPX/1/1" xmlns:taffrail="urn:taffrail:history">

        """
    }
    var separator: String { "" }
    var closing: String { "</gpx>\n" }

    func text(_ visit: PlaceVisit) -> [UInt8] {
        var text: [UInt8] = []
        Self.begin("wpt", visit.center, &text)
        Self.add("time", RFC3339.string(visit.arrival), &text)
        Self.add("name", names.name(visit.center), &text)
        Self.add("desc", names.summary(visit), &text)
        Self.add("src", visit.device, &text)
        Self.add("type", "visit", &text)
        text.append("<extensions>")
        Self.add("taffrail:begin", RFC3339.string(visit.arrival), &text)
        if !visit.isOpen { Self.add("taffrail:end", RFC3339.string(visit.departure), &text) }
        Self.add("taffrail:duration", HistoryJourneys.seconds(visit.duration), &text)
        text.append("</extensions></wpt>\n")
        return text
    }

    func text(_ trip: Trip, along way: [WayPoint]) -> [UInt8] {
        var text: [UInt8] = []
        text.append("<trk>")
        Self.add("name", names.ends(of: trip), &text)
        Self.add("desc", names.summary(trip), &text)
        Self.add("src", trip.device, &text)
        Self.add("type", "trip", &text)
        text.append("<extensions>")
        Self.add("taffrail:begin", RFC3339.string(trip.departure), &text)
        if trip.end != .open { Self.add("taffrail:end", RFC3339.string(trip.arrival), &text) }
        Self.add("taffrail:duration", HistoryJourneys.seconds(trip.duration), &text)
        Self.add("taffrail:distance", "\(trip.distance)", &text)
        text.append("</extensions><trkseg>\n")
        for point in way {
            Self.begin("trkpt", point.coordinate, &text)
            if let altitude = point.altitude {
                text.append("<ele>")
                text.append(real: altitude, exponent: false)
                text.append("</ele>")
            }
            Self.add("time", RFC3339.string(point.time), &text)
            text.append("</trkpt>\n")
        }
        text.append("</trkseg></trk>\n")
        return text
    }

    private static func begin(_ tag: String, _ coordinate: Coordinate, _ text: inout [UInt8]) {
        text.append(contentsOf: "<\(tag) lat=\"".utf8)
        text.append(real: coordinate.latitude, exponent: false)
        text.append("\" lon=\"")
        // The schema does not allow 180°, which is the same meridian as −180°.
        text.append(real: coordinate.longitude == 180 ? -180 : coordinate.longitude, exponent: false)
        text.append("\">")
    }

    private static func add(_ tag: String, _ value: String, _ text: inout [UInt8]) {
        text.append(contentsOf: "<\(tag)>".utf8)
        text.append(xml: value)
        text.append(contentsOf: "</\(tag)>".utf8)
    }
}
#endif
