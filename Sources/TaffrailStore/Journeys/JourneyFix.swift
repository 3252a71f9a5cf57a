#if Store
/// What visits and trips are made of: a row of the table of points, as far as it matters to them.
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
    /// How far local time was ahead of UTC, in minutes.
    var zone: Int64?

    /// The accuracy in metres, also where none is known.
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
