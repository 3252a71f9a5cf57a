public import Taffrail
internal import TaffrailText

/// Parses gpsd's JSON protocol (releases 3.20 and later), in chunks of any size.
///
/// Malformed and truncated lines (gpsd truncates lines to 10,240 bytes) are counted and skipped; unknown keys and
/// classes are ignored. Every TPV is a separate report; ``EpochMerger`` merges those of an epoch. A value without
/// locks: use one for each connection.
public struct GPSDParser: Sendable {
    /// The request for all reports.
    public static let watchRequest = "?WATCH={\"enable\":true,\"json\":true};\r\n"
    /// The longest accepted line; a few times the longest of gpsd.
    static let lineLimit = 65_536

    /// The number of lines that could not be parsed.
    public private(set) var brokenLines = 0
    private var lines = LineSplitter(limit: Self.lineLimit)
    private var skies: [String: GPSDSky] = [:]

    /// Starts a connection.
    public init() {}

    /// Adds received bytes, and calls `report` for each parsed line.
    ///
    /// - Parameters:
    ///   - bytes: The received bytes.
    ///   - received: The time of receipt, used for fixes of receivers that provide none.
    ///   - report: Called with each report.
    public mutating func read(
        _ bytes: some Sequence<UInt8>, received: Timestamp = .now, report: (GPSDReport) -> Void
    ) {
        for byte in bytes {
            guard let line = lines.take(byte) else { continue }
            read(line: line, received: received, report: report)
        }
    }

    private mutating func read(line: [UInt8], received: Timestamp, report: (GPSDReport) -> Void) {
        // Lines that are not JSON are raw sentences, which other watchers of the same daemon may have requested.
        guard line.first(where: { $0 > 32 }) == UInt8(ascii: "{") else { return }
        guard let object = try? GPSDObject(line), let kind = object.text("class") else {
            brokenLines += 1
            return
        }
        report(interpret(object, kind, received))
    }

    private mutating func interpret(_ object: GPSDObject, _ kind: String, _ received: Timestamp) -> GPSDReport {
        switch kind {
        case "TPV": return .position(position(object, received))
        case "SKY":
            let sky = sky(object)
            let isCounted = object.number("nSat") != nil || object.number("uSat") != nil
            let hasSatellites = isCounted || object.list("satellites") != nil
            let device = sky.device ?? ""
            skies[device] = skies[device].map { sky.completed(by: $0, hasSatellites: hasSatellites) } ?? sky
            return .sky(sky)
        case "GST":
            return .errors(
                GPSDErrors(
                    device: object.text("device"), time: Self.time(object), latitude: object.size("lat"),
                    longitude: object.size("lon"), altitude: object.size("alt")))
        case "ATT": return .motion(MotionReading(object, .attitude, time: Self.time(object), received: received))
        case "IMU": return .motion(MotionReading(object, .inertial, time: Self.time(object), received: received))
        case "VERSION":
            return .version(
                release: object.text("release") ?? "", major: object.whole("proto_major") ?? 0,
                minor: object.whole("proto_minor") ?? 0)
        case "DEVICES": return .devices((object.list("devices") ?? []).compactMap(Self.device))
        case "DEVICE": return Self.device(object).map { .device($0) } ?? .other(kind)
        case "WATCH": return .watch
        case "ERROR": return .error(object.text("message") ?? "")
        default: return .other(kind)
        }
    }

    /// Returns a receiver. It is active if gpsd reports the time of its activation; 0 or a missing value means
    /// inactive.
    private static func device(_ object: GPSDObject) -> GPSDDevice? {
        guard let path = object.text("path") else { return nil }
        let isActive = object.text("activated") != nil || (object.number("activated") ?? 0) > 0
        return GPSDDevice(path: path, isActive: isActive, driver: object.text("driver"))
    }

    private func sky(_ object: GPSDObject) -> GPSDSky {
        let used = object.list("satellites")?.count { $0.number("used") == 1 }
        // gpsd reports 0 of 0 if it knows nothing about satellites.
        let isKnown = object.whole("nSat") != 0 || used != nil
        return GPSDSky(
            device: object.text("device"), used: isKnown ? object.whole("uSat") ?? used : nil,
            hdop: object.size("hdop"),
            vdop: object.size("vdop"), pdop: object.size("pdop"))
    }

    private static func time(_ object: GPSDObject) -> Timestamp? {
        if let text = object.text("time") { return RFC3339.timestamp(text) }
        return object.number("time").map { Timestamp(secondsSince1970: $0) }
    }

    /// Converts a TPV. `alt` is never used, because its datum is ambiguous.
    private func position(_ object: GPSDObject, _ received: Timestamp) -> PositionReport {
        let device = object.text("device")
        let time = Self.time(object)
        guard let latitude = object.number("lat"), let longitude = object.number("lon"),
            let mode = object.whole("mode"), mode >= 2
        else { return PositionReport(device: device, time: time, mode: .noFix, location: nil) }
        var location = Location(latitude: latitude, longitude: longitude, timestamp: time ?? received)
        guard location.coordinate.isValid else {
            return PositionReport(device: device, time: time, mode: .noFix, location: nil)
        }
        let sky = skies[device ?? ""]
        if mode >= 3 {
            location.altitude = object.number("altMSL")
            location.ellipsoidalAltitude = object.number("altHAE")
            location.verticalAccuracy = object.size("epv")
        }
        location.horizontalAccuracy =
            object.size("eph") ?? Self.radius(object)
            ?? sky?.hdop.map { $0 * NMEAParser.metresPerHDOP }
        location.course = object.number("track").flatMap(Location.course)
        location.courseAccuracy = object.size("epd")
        location.speed = object.size("speed")
        location.speedAccuracy = object.size("eps")
        if object.whole("status") == 8 { location.sourceInformation = .init(isSimulatedBySoftware: true) }
        location.extra.climb = object.number("climb")
        location.extra.climbAccuracy = object.size("epc")
        location.extra.geoidSeparation = object.number("geoidSep")
        location.extra.device = device
        location.extra.satellites = sky?.used
        location.extra.hdop = sky?.hdop
        location.extra.vdop = sky?.vdop
        location.extra.pdop = sky?.pdop
        if time == nil { location.extra.hasNoTime = true }
        return PositionReport(device: device, time: time, mode: mode >= 3 ? .threeD : .twoD, location: location)
    }

    private static func radius(_ object: GPSDObject) -> Double? {
        guard let east = object.size("epx"), let north = object.size("epy") else { return nil }
        return (east * east + north * north).squareRoot()
    }
}
