internal import Taffrail
internal import TaffrailText

/// The data of the sentences of one epoch.
struct NMEAEpoch {
    /// Nanoseconds since midnight.
    var timeOfDay: Int?
    /// The date, if a valid RMC of the epoch has it.
    var date: CivilTime?
    /// The date of ZDA, from the receiver's clock, which shows a default date until the first fix.
    var clockDate: CivilTime?
    var coordinate: Coordinate?
    var altitude: Double?
    var separation: Double?
    /// Metres per second.
    var speed: Double?
    var course: Double?
    var satellites: Int?
    var dilution = Dilution()
    /// One standard deviation in metres: latitude, longitude, altitude (GST).
    var deviations: (north: Double, east: Double, up: Double?)?
    /// Whether a sentence with a position marked it as valid, and whether one marked it as invalid.
    var isGood = false
    var isVoid = false
    /// Whether a GLL reported no position, and neither RMC nor GGA nor GNS after it reported one.
    var isVoidByGLL = false
    var isSimulated = false
    /// Whether GGA has a fix with an altitude from enough satellites for three dimensions, even if GSA reports less:
    /// the GSA of some modems lags behind their GGA.
    var hasGoodAltitude = false
    /// The mode of GSA in this epoch.
    var mode: PositionReport.Mode?
    /// The types seen, to detect the start of the next round of sentences without times.
    var types: Set<NMEAKind> = []
    var received = Timestamp(nanoseconds: 0)

    /// The number of satellites required for a three-dimensional position.
    private static let satellitesForAltitude = 4

    struct Dilution {
        var horizontal: Double?
        var vertical: Double?
        var position: Double?
    }

    var hasFix: Bool { isGood && !isVoid && !isVoidByGLL && mode != .noFix && coordinate != nil }

    /// Returns the location; accuracies are gpsd's: 19 m times the horizontal, 23 m times the vertical dilution, unless
    /// the receiver sends its own estimates (GST).
    func location(time: Timestamp?, mode: PositionReport.Mode, dilution: Dilution, device: String?) -> Location? {
        guard hasFix, let coordinate else { return nil }
        var location = Location(coordinate: coordinate, timestamp: time ?? received)
        if mode == .threeD {
            location.altitude = altitude
            if let altitude, let separation {
                location.ellipsoidalAltitude = (altitude + separation).roundedToMillionths
            }
        }
        location.speed = speed
        location.course = course
        if let deviations {
            location.horizontalAccuracy =
                (deviations.north * deviations.north + deviations.east * deviations.east).squareRoot()
                .roundedToMillionths
            if mode == .threeD { location.verticalAccuracy = deviations.up }
        } else {
            location.horizontalAccuracy = dilution.horizontal.map {
                ($0 * NMEAParser.metresPerHDOP).roundedToMillionths
            }
            if mode == .threeD {
                location.verticalAccuracy = dilution.vertical.map {
                    ($0 * NMEAParser.metresPerVDOP).roundedToMillionths
                }
            }
        }
        if isSimulated { location.sourceInformation = .init(isSimulatedBySoftware: true) }
        location.extra.device = device
        location.extra.geoidSeparation = separation
        location.extra.satellites = satellites
        location.extra.hdop = dilution.horizontal
        location.extra.vdop = dilution.vertical
        location.extra.pdop = dilution.position
        if time == nil { location.extra.hasNoTime = true }
        return location
    }
}

extension NMEAEpoch {
    /// Adds the data of a sentence, except its time.
    mutating func take(_ kind: NMEAKind, _ sentence: NMEASentence) {
        types.insert(kind)
        switch kind {
        case .gga: takeGGA(sentence)
        case .rmc: takeRMC(sentence)
        case .gsa: takeGSA(sentence)
        case .vtg: takeVTG(sentence)
        case .gst:
            if let north = sentence.number(6), let east = sentence.number(7), north >= 0, east >= 0 {
                deviations = (north, east, sentence.number(8).flatMap { $0 >= 0 ? $0 : nil })
            }
        case .gll:
            let isValid = sentence.letter(6) == UInt8(ascii: "A") && sentence.letter(7) != UInt8(ascii: "N")
            if isValid { assess(true, sentence.coordinate(1), mode: sentence.letter(7)) } else { isVoidByGLL = true }
        case .gns: takeGNS(sentence)
        case .zda:
            if let day = sentence.whole(2), let month = sentence.whole(3), let year = sentence.whole(4) {
                let named = CivilTime(year: Int64(year), month: Int64(month), day: Int64(day))
                if named.exists && year >= 1980 && year < 2262 { clockDate = named }
            }
        }
    }

    private mutating func assess(_ isValid: Bool, _ place: Coordinate?, mode letter: UInt8?) {
        if letter == UInt8(ascii: "S") { isSimulated = true }
        if isValid && letter != UInt8(ascii: "N"), let place {
            isGood = true
            isVoidByGLL = false
            if coordinate == nil { coordinate = place }
        } else {
            isVoid = true
        }
    }

    private mutating func takeGGA(_ sentence: NMEASentence) {
        let quality = sentence.whole(6) ?? 0
        assess(quality > 0, sentence.coordinate(2), mode: quality == 8 ? UInt8(ascii: "S") : nil)
        satellites = sentence.whole(7) ?? satellites
        if let hdop = Self.dilution(sentence.number(8)) { dilution.horizontal = hdop }
        if sentence.letter(10) == UInt8(ascii: "M"), let height = sentence.number(9) {
            altitude = height
            hasGoodAltitude = quality >= 1 && (sentence.whole(7) ?? 0) >= Self.satellitesForAltitude
        }
        if sentence.letter(12) == UInt8(ascii: "M") { separation = sentence.number(11) ?? separation }
    }

    private mutating func takeRMC(_ sentence: NMEASentence) {
        let isValid = sentence.letter(2) == UInt8(ascii: "A")
        assess(isValid, sentence.coordinate(3), mode: sentence.letter(12))
        guard isValid else { return }
        if let knots = sentence.number(7), knots >= 0 {
            speed = (knots * NauticalUnits.knot).roundedToMillionths
        }
        if let direction = sentence.number(8) { course = Location.course(direction) }
        if date == nil { date = sentence.date(9) }
    }

    private mutating func takeVTG(_ sentence: NMEASentence) {
        guard sentence.letter(9) != UInt8(ascii: "N") else { return }
        // Before NMEA 2.0 the four numbers had no letters between them.
        let isLettered = sentence.letter(2) == UInt8(ascii: "T")
        if course == nil, let direction = sentence.number(1) { course = Location.course(direction) }
        if speed == nil, let knots = sentence.number(isLettered ? 5 : 3), knots >= 0 {
            speed = (knots * NauticalUnits.knot).roundedToMillionths
        }
    }

    private mutating func takeGSA(_ sentence: NMEASentence) {
        switch sentence.whole(2) {
        case 1: if mode == nil { mode = .noFix }
        case 2: mode = .twoD
        case 3: mode = .threeD
        default: return
        }
        dilution.position = Self.dilution(sentence.number(15)) ?? dilution.position
        if dilution.horizontal == nil { dilution.horizontal = Self.dilution(sentence.number(16)) }
        dilution.vertical = Self.dilution(sentence.number(17)) ?? dilution.vertical
    }

    private mutating func takeGNS(_ sentence: NMEASentence) {
        let letters = sentence.text(6).utf8
        let isValid = !letters.isEmpty && letters.contains { $0 != UInt8(ascii: "N") }
        assess(isValid, sentence.coordinate(2), mode: letters.contains(UInt8(ascii: "S")) ? UInt8(ascii: "S") : nil)
        satellites = sentence.whole(7) ?? satellites
        if let hdop = Self.dilution(sentence.number(8)) { dilution.horizontal = hdop }
        altitude = sentence.number(9) ?? altitude
        separation = sentence.number(10) ?? separation
    }

    /// Returns a dilution of precision; receivers send 0 or 99.99 for "none".
    private static func dilution(_ value: Double?) -> Double? {
        guard let value, value > 0, value < 99 else { return nil }
        return value
    }
}
