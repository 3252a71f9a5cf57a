internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Writes GeoJSON (RFC 7946): a feature for each event, with the property names of recordings.
///
/// The third number of a position is its height above the ellipsoid, as the standard requires, and omitted if only the
/// height above mean sea level is known. An error is a feature without a position. Nothing is lost but log records.
final class GeoJSONWriter: TrackWriter {
    private let output: TextOutput
    private(set) var losses = TrackLosses()
    private var isEmpty = true
    private var clock = FixClock()

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {
        output.bytes.append("{\"type\":\"FeatureCollection\",\"name\":")
        output.bytes.append(json: name)
        output.bytes.append(",\"features\":[")
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        if case .log = event.event { return losses.add("log") }
        output.bytes.append(isEmpty ? "\n" : ",\n")
        isEmpty = false
        output.bytes.append("{\"type\":\"Feature\",\"geometry\":")
        switch event.event {
        case .location(let location):
            geometry(location)
            output.bytes.append(",\"properties\":{")
            time(location.fixTime)
            clock.take(location, at: event.timestamp)
            properties(location)
        case .error(let error):
            output.bytes.append("null,\"properties\":{")
            time(clock.isTimed(error, at: event.timestamp) ? event.timestamp : nil)
            output.bytes.append(",\"type\":\"error\"")
            RecordingEncoder.append(error, to: &output.bytes)
        case .log: break
        }
        output.bytes.append("}}")
        try output.flushIfLong()
    }

    func finish() throws(RecordingError) {
        output.bytes.append("\n]}\n")
        try output.finish()
    }

    private func time(_ time: Timestamp?) {
        guard let time else { return output.bytes.append("\"hasNoTime\":true") }
        output.bytes.append("\"time\":\"")
        RFC3339.append(time, to: &output.bytes)
        output.bytes.append("\"")
    }

    private func geometry(_ location: Location) {
        output.bytes.append("{\"type\":\"Point\",\"coordinates\":[")
        output.bytes.append(real: location.coordinate.longitude)
        output.bytes.append(",")
        output.bytes.append(real: location.coordinate.latitude)
        if let height = location.heightAboveEllipsoid {
            output.bytes.append(",")
            output.bytes.append(real: height)
        }
        output.bytes.append("]}")
    }

    private func properties(_ location: Location) {
        location.forEachField { field, value in
            guard field.part == .motion || field.part == .source || field.part == .receiver else { return }
            output.bytes.append(field.names.member)
            switch value {
            case .double(let number): output.bytes.append(real: number)
            // As a decimal.
            case .int(let number): output.bytes.append(real: Double(number))
            default: output.bytes.append(json: value)
            }
        }
    }
}
