internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Writes GPX 1.1 that is valid by its schema; a gap starts a new segment, and a change of the receiver starts a new
/// track.
final class GPXWriter: TrackWriter {
    private let output: TextOutput
    private(set) var losses = TrackLosses()
    private var isInSegment = false
    private var name = ""
    /// The receiver of the current track; `nil` before the first position.
    private var device: String??

    private static let kept: [LocationField] = [
        .altitude, .course, .speed, .geoidSeparation, .satellites, .hdop, .vdop, .pdop, .device,
    ]

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {
        GPXDocument.begin(
            " xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v2\"", to: &output.bytes)
        if let time = metadata?.recordedAt, time.nanoseconds != 0 {
            output.bytes.append("<metadata><time>")
            RFC3339.append(time, to: &output.bytes)
            output.bytes.append("</time></metadata>\n")
        }
        self.name = name
        beginTrack()
    }

    private func beginTrack() {
        output.bytes.append("<trk>")
        output.bytes.append(element: "name", name)
    }

    /// Starts another track for another receiver.
    private func enter(_ device: String?) {
        guard self.device != .some(device) else { return }
        if self.device != nil {
            endSegment()
            output.bytes.append("</trk>\n")
            beginTrack()
        }
        self.device = .some(device)
        output.bytes.append(element: "src", device ?? "")
        output.bytes.append("\n")
    }

    private func endSegment() {
        if isInSegment { output.bytes.append("</trkseg>\n") }
        isInSegment = false
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        switch event.event {
        case .location(let location):
            enter(location.extra.device)
            if !isInSegment { output.bytes.append("<trkseg>\n") }
            isInSegment = true
            append(location)
        case .error: endSegment()
        case .log: losses.add("log")
        }
        try output.flushIfLong()
    }

    func finish() throws(RecordingError) {
        endSegment()
        output.bytes.append("</trk>\n</gpx>\n")
        try output.finish()
    }

    private func append(_ location: Location) {
        var kept = Self.kept
        GPXPoint.begin("trkpt", at: location.coordinate, to: &output.bytes)
        let altitude = location.meanSeaLevelAltitude
        number("ele", altitude)
        if let time = location.fixTime {
            output.bytes.append("<time>")
            RFC3339.append(time, to: &output.bytes)
            output.bytes.append("</time>")
        }
        let separation = location.separation
        number("geoidheight", separation)
        if altitude != nil && separation != nil { kept.append(.ellipsoidalAltitude) }
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
        // Values calculated by other programs may have the digits of binary fractions.
        output.bytes.append(element: name, real: value.roundedToMillionths)
    }
}
