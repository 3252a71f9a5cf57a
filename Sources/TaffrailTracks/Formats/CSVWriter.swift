internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Writes a table: a line of column names, then a line for each position, with commas as separators and decimal points.
///
/// The names of uncertainties are gpsd's, because other programs interpret a name that starts with `speed` as the
/// speed: eph and epv are horizontal and vertical, epd is for the course, eps for the speed, epc for the climb; hae is
/// the height above the ellipsoid.
final class CSVWriter: TrackWriter {
    private let output: TextOutput
    private(set) var losses = TrackLosses()

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {
        output.bytes.append(contentsOf: CSVColumn.all.map(CSVColumn.name).joined(separator: ",").utf8)
        output.bytes.append("\r\n")
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        switch event.event {
        case .error: losses.add("error")
        case .log: losses.add("log")
        case .location(let location):
            Self.append(location, to: &output.bytes)
            output.bytes.append("\r\n")
            try output.flushIfLong()
        }
    }

    func finish() throws(RecordingError) { try output.finish() }

    private static func append(_ location: Location, to bytes: inout [UInt8]) {
        if let time = location.fixTime { RFC3339.append(time, to: &bytes) }
        var column = 0
        func separate(_ field: LocationField) {
            while CSVColumn.all[column] != field {
                bytes.append(",")
                column += 1
            }
        }
        location.forEachField { field, value in
            guard field.part != .receipt, field != .time, field != .device else { return }
            separate(field)
            switch value {
            case .double(let number): bytes.append(real: number, exponent: false)
            case .int(let number): bytes.append(decimal: Int(number))
            case .bool(let isTrue): bytes.append(isTrue ? "1" : "0")
            default: break
            }
        }
        separate(.device)
        if let device = location.extra.device { CSVText.append(device, to: &bytes) }
    }
}
