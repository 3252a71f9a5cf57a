internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Writes KML 2.2 with Google's `gx:Track`; a gap starts a new track.
final class KMLWriter: TrackWriter {
    private let output: TextOutput
    private(set) var losses = TrackLosses()
    private var isInTrack = false
    private var hasAltitudes = false
    private var device: String?

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {
        KMLDocument.begin(name, to: &output.bytes)
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        switch event.event {
        case .location(let location): append(location)
        case .error: end()
        case .log: losses.add("log")
        }
        try output.flushIfLong()
    }

    func finish() throws(RecordingError) {
        end()
        output.bytes.append("</Document></kml>\n")
        try output.finish()
    }

    private func end() {
        if isInTrack { output.bytes.append("</gx:Track></Placemark>\n") }
        isInTrack = false
    }

    private func append(_ location: Location) {
        let altitude = location.meanSeaLevelAltitude
        // An unknown altitude must not look like 0: such points are clamped to the ground.
        if isInTrack && (hasAltitudes != (altitude != nil) || device != location.extra.device) { end() }
        if !isInTrack {
            device = location.extra.device
            output.bytes.append("<Placemark>")
            if let device { output.bytes.append(element: "name", device) }
            KMLTrack.begin(hasAltitudes: altitude != nil, to: &output.bytes)
            isInTrack = true
            hasAltitudes = altitude != nil
        }
        KMLTrack.append(
            location.coordinate, altitude: altitude ?? 0, at: location.fixTime, to: &output.bytes)
        losses.add(location, except: [.altitude])
    }
}
