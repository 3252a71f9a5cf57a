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
        var text: [UInt8] = []
        GPXDocument.begin(" xmlns:taffrail=\"urn:taffrail:history\"", to: &text)
        return String(decoding: text, as: UTF8.self)
    }
    var separator: String { "" }
    var closing: String { "</gpx>\n" }

    func text(_ visit: PlaceVisit) -> [UInt8] {
        var text: [UInt8] = []
        GPXPoint.begin("wpt", at: visit.center, to: &text)
        text.append(element: "time", RFC3339.string(visit.arrival))
        text.append(element: "name", names.name(visit.center))
        text.append(element: "desc", names.summary(visit))
        text.append(element: "src", visit.device)
        text.append(element: "type", "visit")
        text.append("<extensions>")
        text.append(element: "taffrail:begin", RFC3339.string(visit.arrival))
        if !visit.isOpen { text.append(element: "taffrail:end", RFC3339.string(visit.departure)) }
        text.append(element: "taffrail:duration", HistoryJourneys.seconds(visit.duration))
        text.append("</extensions></wpt>\n")
        return text
    }

    func text(_ trip: Trip, along route: [WayPoint]) -> [UInt8] {
        var text: [UInt8] = []
        text.append("<trk>")
        text.append(element: "name", names.ends(of: trip))
        text.append(element: "desc", names.summary(trip))
        text.append(element: "src", trip.device)
        text.append(element: "type", "trip")
        text.append("<extensions>")
        text.append(element: "taffrail:begin", RFC3339.string(trip.departure))
        if trip.end != .open { text.append(element: "taffrail:end", RFC3339.string(trip.arrival)) }
        text.append(element: "taffrail:duration", HistoryJourneys.seconds(trip.duration))
        text.append(element: "taffrail:distance", "\(trip.distance)")
        text.append("</extensions><trkseg>\n")
        for point in route {
            GPXPoint.begin("trkpt", at: point.coordinate, to: &text)
            if let altitude = point.altitude { text.append(element: "ele", real: altitude) }
            text.append(element: "time", RFC3339.string(point.time))
            text.append("</trkpt>\n")
        }
        text.append("</trkseg></trk>\n")
        return text
    }
}
#endif
