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
        output.bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document><name>
            """)
        output.bytes.append(xml: name)
        output.bytes.append("</name>\n")
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
            if let device {
                output.bytes.append("<name>")
                output.bytes.append(xml: device)
                output.bytes.append("</name>")
            }
            output.bytes.append("<gx:Track><altitudeMode>")
            output.bytes.append(altitude == nil ? "clampToGround" : "absolute")
            output.bytes.append("</altitudeMode>\n")
            isInTrack = true
            hasAltitudes = altitude != nil
        }
        // A track has as many times as coordinates; an unknown one is empty.
        output.bytes.append("<when>")
        if location.extra.hasNoTime != true { RFC3339.append(location.timestamp, to: &output.bytes) }
        output.bytes.append("</when><gx:coord>")
        output.bytes.append(real: location.coordinate.longitude, exponent: false)
        output.bytes.append(" ")
        output.bytes.append(real: location.coordinate.latitude, exponent: false)
        output.bytes.append(" ")
        output.bytes.append(real: altitude ?? 0, exponent: false)
        output.bytes.append("</gx:coord>\n")
        losses.add(location, except: [.altitude])
    }
}
