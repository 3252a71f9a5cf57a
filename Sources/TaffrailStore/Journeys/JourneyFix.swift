#if Store
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

extension JourneyFix: Codable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        time = try list.decode(Int64.self)
        hash = try list.decode(Int64.self)
        place = ScaledCoordinate(lat: try list.decode(Int64.self), lon: try list.decode(Int64.self))
        accuracy = try list.decode(Int64?.self)
        speed = try list.decode(Int64?.self)
        zone = try list.decode(Int64?.self)
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for number in [time, hash, place.lat, place.lon] { try list.encode(number) }
        for number in [accuracy, speed, zone] { try list.encode(number) }
    }
}
#endif
