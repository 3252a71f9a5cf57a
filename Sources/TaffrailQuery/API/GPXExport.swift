internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// Records as GPX 1.1: `geo.location` records as a track for each device, other records with a position as waypoints.
/// Records without a position are omitted.
struct GPXExport {
    private var waypoints: [[UInt8]] = []
    /// The tracks, in the order in which the devices appear.
    private var tracks: [(device: String, points: [[UInt8]])] = []
    private var indices: [[UInt8]: Int] = [:]
    /// The approximate number of bytes.
    private(set) var size = 0

    mutating func append(_ record: StoredRecord) {
        guard let place = record.coordinate else { return }
        let isPosition = record.eventName == GeoAttributes.locationEvent
        let fix = isPosition ? Location(attributes: record.attributes, received: record.time) : nil
        var element: [UInt8] = []
        GPXPoint.begin(isPosition ? "trkpt" : "wpt", at: place, to: &element)
        if let altitude = fix?.altitude, altitude.isFinite { element.append(element: "ele", real: altitude) }
        element.append("<time>")
        RFC3339.append(record.time, to: &element)
        element.append("</time>")
        if isPosition {
            element.append("</trkpt>\n")
        } else {
            element.append(element: "name", record.eventName ?? record.level.name)
            element.append(element: "desc", record.message)
            element.append(element: "src", record.device)
            element.append(element: "type", record.logger)
            element.append("</wpt>\n")
        }
        size += element.count
        if isPosition { add(element, to: record.device) } else { waypoints.append(element) }
    }

    private mutating func add(_ point: [UInt8], to device: String) {
        // Names are compared by their bytes.
        let key = Array(device.utf8)
        if let index = indices[key] {
            tracks[index].points.append(point)
        } else {
            indices[key] = tracks.count
            tracks.append((device, [point]))
        }
    }

    /// Returns the document.
    ///
    /// - Parameter isReversed: Whether the records were added from the newest to the oldest; tracks are in
    ///   chronological order.
    func bytes(isReversed: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1_024)
        GPXDocument.begin(to: &bytes)
        for waypoint in isReversed ? waypoints.reversed() : waypoints { bytes += waypoint }
        for track in tracks {
            bytes.append("<trk>")
            bytes.append(element: "name", track.device)
            bytes.append("<trkseg>\n")
            for point in isReversed ? track.points.reversed() : track.points { bytes += point }
            bytes.append("</trkseg></trk>\n")
        }
        bytes.append("</gpx>\n")
        return bytes
    }
}
