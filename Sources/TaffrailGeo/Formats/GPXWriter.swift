internal import Taffrail

/// Writes GPX 1.1 that passes its schema; a new segment begins where the position was not known.
final class GPXWriter: TrackWriter {
    private let output: TextOutput
    private(set) var losses = TrackLosses()
    private var isInSegment = false

    private static let kept: Set<TrackLosses.Field> = [
        .altitude, .course, .speed, .geoidSeparation, .satellites, .hdop, .vdop, .pdop,
    ]

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {
        output.bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Taffrail" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">

            """)
        if let time = metadata?.recordedAt, time.nanoseconds != 0 {
            output.bytes.append("<metadata><time>")
            RFC3339.append(time, to: &output.bytes)
            output.bytes.append("</time></metadata>\n")
        }
        output.bytes.append("<trk>")
        if !name.isEmpty {
            output.bytes.append("<name>")
            output.bytes.append(xml: name)
            output.bytes.append("</name>")
        }
        output.bytes.append("\n")
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        switch event.event {
        case .location(let location):
            if !isInSegment { output.bytes.append("<trkseg>\n") }
            isInSegment = true
            append(location)
        case .error:
            if isInSegment { output.bytes.append("</trkseg>\n") }
            isInSegment = false
        case .log: losses.add("log")
        }
        try output.flushIfLong()
    }

    func finish() throws(RecordingError) {
        if isInSegment { output.bytes.append("</trkseg>\n") }
        output.bytes.append("</trk>\n</gpx>\n")
        try output.finish()
    }

    private func append(_ location: Location) {
        var kept = Self.kept
        output.bytes.append("<trkpt lat=\"")
        output.bytes.append(real: location.coordinate.latitude, exponent: false)
        output.bytes.append("\" lon=\"")
        // The schema has no 180°, which is the same meridian as −180°.
        let longitude = location.coordinate.longitude
        output.bytes.append(real: longitude == 180 ? -180 : longitude, exponent: false)
        output.bytes.append("\">")
        let altitude = location.meanSeaLevelAltitude
        number("ele", altitude)
        if location.extra.hasNoTime != true {
            output.bytes.append("<time>")
            RFC3339.append(location.timestamp, to: &output.bytes)
            output.bytes.append("</time>")
        }
        let separation = location.separation
        number("geoidheight", separation)
        if altitude != nil && separation != nil { kept.insert(.ellipsoidalAltitude) }
        output.bytes.append(altitude == nil ? "<fix>2d</fix>" : "<fix>3d</fix>")
        if let satellites = location.extra.satellites, satellites >= 0 {
            output.bytes.append("<sat>")
            output.bytes.append(decimal: satellites)
            output.bytes.append("</sat>")
        }
        number("hdop", location.extra.hdop)
        number("vdop", location.extra.vdop)
        number("pdop", location.extra.pdop)
        if location.speed != nil || location.course != nil {
            output.bytes.append("<extensions><gpxtpx:TrackPointExtension>")
            number("gpxtpx:speed", location.speed)
            number("gpxtpx:course", location.course)
            output.bytes.append("</gpxtpx:TrackPointExtension></extensions>")
        }
        output.bytes.append("</trkpt>\n")
        losses.add(location, except: kept)
    }

    private func number(_ name: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        output.bytes.append("<")
        output.bytes.append(name)
        output.bytes.append(">")
        output.bytes.append(real: value, exponent: false)
        output.bytes.append("</")
        output.bytes.append(name)
        output.bytes.append(">")
    }
}

extension Location {
    /// The height of mean sea level above the ellipsoid at the place, where it follows from what is known.
    var separation: Double? {
        if let separation = extra.geoidSeparation { return separation }
        guard let altitude, let ellipsoidalAltitude else { return nil }
        // As receivers give it, in millimetres: the difference of two decimals is not one.
        return ((ellipsoidalAltitude - altitude) * 1_000).rounded() / 1_000
    }

    /// The height above mean sea level, where it follows from what is known.
    var meanSeaLevelAltitude: Double? {
        if let altitude { return altitude }
        guard let ellipsoidalAltitude, let separation = extra.geoidSeparation else { return nil }
        return ((ellipsoidalAltitude - separation) * 1_000).rounded() / 1_000
    }

    /// The height above the ellipsoid, where it follows from what is known.
    var heightAboveEllipsoid: Double? {
        if let ellipsoidalAltitude { return ellipsoidalAltitude }
        guard let altitude, let separation = extra.geoidSeparation else { return nil }
        return ((altitude + separation) * 1_000).rounded() / 1_000
    }
}
