internal import TaffrailGeo

/// The columns of a table of positions.
enum CSVColumn {
    /// The columns, in order.
    static let all: [LocationField] =
        [.time, .latitude, .longitude]
        + LocationField.allCases.filter { ![.fix, .receipt].contains($0.part) && $0 != .device } + [.device]

    /// Returns the name of a column.
    static func name(of column: LocationField) -> String {
        switch column {
        case .ellipsoidalAltitude: "hae"
        case .horizontalAccuracy: "eph"
        case .verticalAccuracy: "epv"
        case .courseAccuracy: "epd"
        case .speedAccuracy: "eps"
        case .climbAccuracy: "epc"
        case .isSimulatedBySoftware: "simulated"
        case .isProducedByAccessory: "accessory"
        case .geoidSeparation: "geoid_separation"
        default: column.member
        }
    }

    /// Returns a name in lower case, without spaces, `_` and `-`.
    static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
    }

    /// Returns the column with a name, either its own or a common alternative, ignoring case.
    static func named(_ name: String) -> LocationField? {
        let name = plain(name)
        switch name {
        case "timestamp", "isotime", "datetime", "utc", "utct", "utctime", "timeofday": return .time
        case "lat": return .latitude
        case "lon", "lng", "long": return .longitude
        case "alt", "ele", "elevation", "altmsl": return .altitude
        case "ellipsoidalaltitude", "althae": return .ellipsoidalAltitude
        case "horizontalaccuracy", "accuracy": return .horizontalAccuracy
        case "verticalaccuracy": return .verticalAccuracy
        case "heading", "bearing", "track": return .course
        case "courseaccuracy": return .courseAccuracy
        case "speedaccuracy": return .speedAccuracy
        case "climbaccuracy": return .climbAccuracy
        case "geoidseparation", "geoidheight": return .geoidSeparation
        case "sat", "sats": return .satellites
        default: return all.first { self.name(of: $0) == name }
        }
    }
}
