internal import TaffrailGeo
internal import TaffrailText

/// The columns of a table of positions.
enum CSVColumn: Int, CaseIterable {
    case time, latitude, longitude, altitude, hae, eph, epv, course, epd, speed, eps, floor, simulated, accessory, climb
    case epc, separation, satellites, hdop, vdop, pdop, device

    var name: String { self == .separation ? "geoid_separation" : "\(self)" }

    /// Returns the column with a name, either its own or a common alternative, ignoring case.
    static func named(_ name: String) -> CSVColumn? {
        let name = name.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
        switch name {
        case "time", "timestamp", "isotime", "datetime", "utc", "utct", "utctime", "timeofday": return .time
        case "latitude", "lat": return .latitude
        case "longitude", "lon", "lng", "long": return .longitude
        case "altitude", "alt", "ele", "elevation", "altmsl": return .altitude
        case "hae", "ellipsoidalaltitude", "althae": return .hae
        case "eph", "horizontalaccuracy", "accuracy": return .eph
        case "epv", "verticalaccuracy": return .epv
        case "course", "heading", "bearing", "track": return .course
        case "epd", "courseaccuracy": return .epd
        case "speed": return .speed
        case "eps", "speedaccuracy": return .eps
        case "epc", "climbaccuracy": return .epc
        case "geoidseparation", "geoidheight": return .separation
        case "satellites", "sat", "sats": return .satellites
        default: return allCases.first { $0.name == name }
        }
    }

    func append(_ location: Location, to bytes: inout [UInt8]) {
        func add(_ value: Double?) { if let value, value.isFinite { bytes.append(real: value, exponent: false) } }
        func add(_ value: Int?) { if let value { bytes.append(decimal: value) } }
        switch self {
        case .time: if location.extra.hasNoTime != true { RFC3339.append(location.timestamp, to: &bytes) }
        case .latitude: add(location.coordinate.latitude)
        case .longitude: add(location.coordinate.longitude)
        case .altitude: add(location.altitude)
        case .hae: add(location.ellipsoidalAltitude)
        case .eph: add(location.horizontalAccuracy)
        case .epv: add(location.verticalAccuracy)
        case .course: add(location.course)
        case .epd: add(location.courseAccuracy)
        case .speed: add(location.speed)
        case .eps: add(location.speedAccuracy)
        case .floor: add(location.floor)
        case .simulated: add(location.sourceInformation.map { $0.isSimulatedBySoftware ? 1 : 0 })
        case .accessory: add(location.sourceInformation.map { $0.isProducedByAccessory ? 1 : 0 })
        case .climb: add(location.extra.climb)
        case .epc: add(location.extra.climbAccuracy)
        case .separation: add(location.extra.geoidSeparation)
        case .satellites: add(location.extra.satellites)
        case .hdop: add(location.extra.hdop)
        case .vdop: add(location.extra.vdop)
        case .pdop: add(location.extra.pdop)
        case .device: if let device = location.extra.device { CSVText.append(device, to: &bytes) }
        }
    }
}
