#if Store
internal import Taffrail
internal import TaffrailText

/// A fix from which visits and trips are found: a row of the table of points, with the required columns.
struct JourneyFix: Hashable {
    /// Milliseconds since 1970.
    var time: Int64
    /// The rest of the row's key.
    var hash: Int64
    var place: ScaledCoordinate
    /// In units of 0.01 m.
    var accuracy: Int64?
    /// In units of 0.01 m/s.
    var speed: Int64?
    /// The offset of local time from UTC, in minutes.
    var zone: Int64?

    /// The accuracy in metres, with a default if it is unknown.
    var uncertainty: Double { accuracy.map { Double($0) / 100 } ?? JourneyRules.usualAccuracy }
}

extension JourneyFix {
    /// Appends the values as the elements of a JSON array.
    func append(to list: inout [UInt8]) {
        let numbers: [Int64?] = [time, hash, place.lat, place.lon, accuracy, speed, zone]
        for (index, number) in numbers.enumerated() {
            if index > 0 { list.append(",") }
            if let number { list.append(decimal: Int(number)) } else { list.append("null") }
        }
    }

    /// Reads such an array.
    init?(_ value: LogValue) {
        guard let list = value.elements, list.count == 7, let time = list[0].integer, let hash = list[1].integer,
            let lat = list[2].integer, let lon = list[3].integer
        else { return nil }
        self.init(
            time: time, hash: hash, place: ScaledCoordinate(lat: lat, lon: lon), accuracy: list[4].integer,
            speed: list[5].integer, zone: list[6].integer)
    }

    /// Reads an array of such arrays.
    static func all(in value: LogValue?) -> [JourneyFix]? {
        guard let list = value?.elements else { return nil }
        let fixes = list.compactMap { JourneyFix($0) }
        return fixes.count == list.count ? fixes : nil
    }
}

extension JSONObject {
    /// Adds a fix as an array.
    mutating func add(_ name: String, _ fix: JourneyFix) { add(list: name) { fix.append(to: &$0) } }

    /// Adds fixes as an array of arrays.
    mutating func add(_ name: String, _ fixes: [JourneyFix]) {
        add(list: name) { list in
            for (index, fix) in fixes.enumerated() {
                list.append(index > 0 ? ",[" : "[")
                fix.append(to: &list)
                list.append("]")
            }
        }
    }
}
#endif
