public import Taffrail
internal import TaffrailText

/// Writes positions as NMEA 0183 that gpsd reads back unchanged: GSA, RMC and GGA for each epoch, or GSA, VTG and GGA
/// for one without a time.
///
/// gpsd 3.22 computes accuracies as 19 m times the HDOP and 23 m times the VDOP. It interprets quality 8 of GGA as
/// "simulated" and zero satellites as "no fix" (so at least 4 are written if the number is unknown), and it accepts
/// dilutions in an epoch without a fix (so they are omitted). NMEA cannot express the accuracies of speed and course,
/// the floor, or that speed or course is unknown to a gpsd client (gpsd then derives them from the positions).
public struct NMEAWriter: Sendable {
    /// The order of the sentences of an epoch with a time.
    public enum Order: Sendable, Hashable {
        /// GSA, RMC, GGA: the date precedes the position, even if time jumps, and the dilutions precede GGA, which gpsd
        /// interprets as the end of the epoch. For streams.
        case timeFirst
        /// GGA, GSA, RMC: the order of most receivers, required by gpsbabel. For files.
        case positionFirst
    }

    /// The two letters of the talker.
    public var talker: String
    /// The order of the sentences.
    public var order: Order

    /// Creates a writer.
    public init(talker: String = "GP", order: Order = .timeFirst) {
        self.talker = talker
        self.order = order
    }

    /// Appends the sentences of a position; those of an epoch without a fix if its coordinate is not valid.
    ///
    /// - Parameters:
    ///   - location: The position.
    ///   - losesAltitude: Whether the previous position had an altitude and this one has none. gpsd 3.22 then
    ///     assumes three dimensions, unless a sentence without a fix starts the epoch: an empty GLL is written first.
    ///   - bytes: The buffer to which the sentences are appended.
    public func append(_ location: Location, losesAltitude: Bool = false, to bytes: inout [UInt8]) {
        guard location.coordinate.isValid else { return appendNoFix(at: location.fixTime, to: &bytes) }
        let altitude = location.altitude ?? location.ellipsoidalAltitude
        let hdop = location.horizontalAccuracy.map { $0 / NMEAParser.metresPerHDOP } ?? location.extra.hdop
        let vdop = location.verticalAccuracy.map { $0 / NMEAParser.metresPerVDOP } ?? location.extra.vdop
        let mode = altitude == nil ? 2 : 3
        if location.fixTime == nil {
            dilutions(mode: mode, hdop: hdop, vdop: vdop, pdop: location.extra.pdop, to: &bytes)
            appendUntimedMotion(location, to: &bytes)
            return appendGGA(location, altitude: altitude, hdop: hdop, to: &bytes)
        }
        switch order {
        case .timeFirst:
            dilutions(mode: mode, hdop: hdop, vdop: vdop, pdop: location.extra.pdop, to: &bytes)
            if losesAltitude { appendVoidGLL(at: location.timestamp, to: &bytes) }
            appendRMC(location, to: &bytes)
            appendGGA(location, altitude: altitude, hdop: hdop, to: &bytes)
        case .positionFirst:
            if losesAltitude { appendVoidGLL(at: location.timestamp, to: &bytes) }
            appendGGA(location, altitude: altitude, hdop: hdop, to: &bytes)
            dilutions(mode: mode, hdop: hdop, vdop: vdop, pdop: location.extra.pdop, to: &bytes)
            appendRMC(location, to: &bytes)
        }
    }

    private func appendVoidGLL(at timestamp: Timestamp, to bytes: inout [UInt8]) {
        sentence("GLL", to: &bytes) { line in
            line.append(",,,,")
            time(timestamp, &line)
            line.append(",V,N")
        }
    }

    /// Appends speed and course of an epoch without a time. gpsd cannot distinguish such epochs: it would report a
    /// position for RMC as well as for GGA, the former with the dimensions of the previous epoch. VTG has no position,
    /// but gpsd ignores it unless it is complete.
    private func appendUntimedMotion(_ location: Location, to bytes: inout [UInt8]) {
        guard let speed = location.speed, let course = location.course else {
            if location.speed != nil || location.course != nil { appendRMC(location, to: &bytes) }
            return
        }
        sentence("VTG", to: &bytes) { line in
            line.append(real: course, decimals: 4)
            line.append(",T,,M,")
            line.append(real: speed / NauticalUnits.knot, decimals: 4)
            line.append(",N,")
            line.append(real: speed * 3.6, decimals: 4)
            line.append(",K,")
            line.append(location.isSimulated ? "S" : "A")
        }
    }

    private func appendRMC(_ location: Location, to bytes: inout [UInt8]) {
        sentence("RMC", to: &bytes) { line in
            time(location.fixTime, &line)
            line.append(",A,")
            coordinate(location.coordinate, &line)
            line.append(",")
            if let speed = location.speed { line.append(real: speed / NauticalUnits.knot, decimals: 4) }
            line.append(",")
            if let course = location.course { line.append(real: course, decimals: 4) }
            line.append(",")
            date(location.fixTime, &line)
            line.append(",,,")
            line.append(location.isSimulated ? "S" : "A")
        }
    }

    private func appendGGA(_ location: Location, altitude: Double?, hdop: Double?, to bytes: inout [UInt8]) {
        sentence("GGA", to: &bytes) { line in
            time(location.fixTime, &line)
            line.append(",")
            coordinate(location.coordinate, &line)
            line.append(location.isSimulated ? ",8," : ",1,")
            let satellites = location.extra.satellites ?? 0
            line.append(satellites > 0 ? min(satellites, 99) : 4, width: 2)
            line.append(",")
            if let hdop { line.append(real: hdop, decimals: 4) }
            line.append(",")
            if let altitude { line.append(real: altitude, decimals: 3) }
            line.append(",M,")
            if let separation = Self.separation(location) { line.append(real: separation, decimals: 3) }
            line.append(",M,,")
        }
    }

    /// Appends the sentences of an epoch without a fix; without times if the time is unknown.
    public func appendNoFix(at timestamp: Timestamp?, to bytes: inout [UInt8]) {
        switch order {
        case .timeFirst:
            dilutions(mode: 1, hdop: nil, vdop: nil, pdop: nil, to: &bytes)
            appendVoidRMC(at: timestamp, to: &bytes)
            appendVoidGGA(at: timestamp, to: &bytes)
        case .positionFirst:
            appendVoidGGA(at: timestamp, to: &bytes)
            dilutions(mode: 1, hdop: nil, vdop: nil, pdop: nil, to: &bytes)
            appendVoidRMC(at: timestamp, to: &bytes)
        }
    }

    private func appendVoidGGA(at timestamp: Timestamp?, to bytes: inout [UInt8]) {
        sentence("GGA", to: &bytes) { line in
            time(timestamp, &line)
            line.append(",,,,,0,00,,,M,,M,,")
        }
    }

    private func appendVoidRMC(at timestamp: Timestamp?, to bytes: inout [UInt8]) {
        sentence("RMC", to: &bytes) { line in
            time(timestamp, &line)
            line.append(",V,,,,,,,")
            date(timestamp, &line)
            line.append(",,,N")
        }
    }

    /// Returns the height of mean sea level above the ellipsoid, if known; 0 for a location with only the height above
    /// the ellipsoid, which is then used for both.
    private static func separation(_ location: Location) -> Double? {
        if let altitude = location.altitude {
            return location.ellipsoidalAltitude.map { $0 - altitude } ?? location.extra.geoidSeparation
        }
        return location.ellipsoidalAltitude == nil ? nil : 0
    }

    private func dilutions(mode: Int, hdop: Double?, vdop: Double?, pdop: Double?, to bytes: inout [UInt8]) {
        sentence("GSA", to: &bytes) { line in
            line.append("A,")
            line.append(decimal: mode)
            line.append(",,,,,,,,,,,,,")
            var position = pdop
            if let hdop, let vdop { position = (hdop * hdop + vdop * vdop).squareRoot() }
            if let position { line.append(real: position, decimals: 4) }
            line.append(",")
            if let hdop { line.append(real: hdop, decimals: 4) }
            line.append(",")
            if let vdop { line.append(real: vdop, decimals: 4) }
        }
    }

    /// Appends `$`, talker, type, the fields, the checksum and CR LF.
    private func sentence(_ type: StaticString, to bytes: inout [UInt8], _ fields: (inout [UInt8]) -> Void) {
        bytes.append("$")
        let start = bytes.count
        bytes.append(contentsOf: talker.utf8)
        bytes.append(type)
        bytes.append(",")
        fields(&bytes)
        let sum = bytes[start...].reduce(0, ^)
        bytes.append("*")
        for nibble in [sum >> 4, sum & 15] { bytes.append(nibble < 10 ? nibble + 48 : nibble + 55) }
        bytes.append("\r\n")
    }

    /// Appends `hhmmss.sss`; nothing for an unknown time.
    private func time(_ time: Timestamp?, _ line: inout [UInt8]) {
        guard let time else { return }
        let day = CivilTime.dayLength / 1_000_000
        let milliseconds = time.milliseconds()
        let ofDay = Int(milliseconds - CivilTime.floorDivide(milliseconds, by: day) * day)
        line.append(ofDay / 3_600_000, width: 2)
        line.append(ofDay / 60_000 % 60, width: 2)
        line.append(ofDay / 1_000 % 60, width: 2)
        line.append(".")
        line.append(ofDay % 1_000, width: 3)
    }

    /// Appends `ddmmyy`; nothing for an unknown date.
    private func date(_ time: Timestamp?, _ line: inout [UInt8]) {
        guard let time else { return }
        let date = CivilTime(secondsSince1970: time.wholeSeconds)
        for number in [date.day, date.month, date.year] { line.append(Int(number % 100), width: 2) }
    }

    /// Appends `4807.0380000,N,01131.0000000,E`: minutes with seven decimals, 0.2 mm.
    private func coordinate(_ coordinate: Coordinate, _ line: inout [UInt8]) {
        degrees(coordinate.latitude, width: 2, &line)
        line.append(coordinate.latitude < 0 ? ",S," : ",N,")
        degrees(coordinate.longitude, width: 3, &line)
        line.append(coordinate.longitude < 0 ? ",W" : ",E")
    }

    private func degrees(_ value: Double, width: Int, _ line: inout [UInt8]) {
        let units = Int((abs(value) * 600_000_000).rounded())
        line.append(units / 600_000_000, width: width)
        line.append(units / 10_000_000 % 60, width: 2)
        line.append(".")
        line.append(units % 10_000_000, width: 7)
    }
}
