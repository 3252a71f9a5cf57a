internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// The attributes that records get from a fix. The fix's age is the record's time minus the fix's time.
enum FixAttributes {
    static let time = "taffrail.geo.time"
    /// The maximum length of a name, in bytes of UTF-8.
    private static let nameLimit = 64

    /// Returns the attributes of a fix.
    ///
    /// - Parameters:
    ///   - names: The names of the place.
    ///   - isShort: Whether only the coordinate and the time are included, because other providers leave little space.
    static func make(_ fix: FixCache.Fix, names: Placemark? = nil, isShort: Bool = false) -> LogAttributes {
        LogAttributes { builder in
            let location = fix.location
            if let place = fix.place {
                builder.add("taffrail.geo.place", .string(shortened(place)))
                builder.add("taffrail.geo.time", .date(location.timestamp))
                return
            }
            builder.add("geo.location.lat", .double(location.coordinate.latitude))
            builder.add("geo.location.lon", .double(location.coordinate.longitude))
            builder.add("taffrail.geo.time", .date(location.timestamp))
            if isShort { return }
            func add(_ key: StaticString, _ name: String?) {
                if let name { builder.add(key, .string(shortened(name))) }
            }
            add("geo.country.iso_code", names?.countryCode)
            add("geo.region.iso_code", names?.regionCode)
            add("geo.locality.name", names?.locality)
            add("geo.postal_code", names?.postalCode)
            add("geo.continent.code", names?.continentCode)
            if let accuracy = location.horizontalAccuracy, accuracy.isFinite {
                builder.add("taffrail.geo.horizontal_accuracy", .double(accuracy))
            }
            add("taffrail.geo.device", location.extra.device)
            if location.isSimulated { builder.add("taffrail.geo.simulated", true) }
        }
    }

    /// Returns the coordinate in attributes that records get; `nil` if they have none.
    static func coordinate(in attributes: [LogValueEntry]) -> Coordinate? {
        let values = LogValue.map(attributes)
        guard let latitude = values["geo.location.lat"]?.number, let longitude = values["geo.location.lon"]?.number
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > nameLimit else { return name }
        var short = ""
        for character in name {
            guard short.utf8.count + character.utf8.count <= nameLimit else { break }
            short.append(character)
        }
        return short
    }
}
