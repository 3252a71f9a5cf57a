#if Command
internal import ArgumentParser
internal import TaffrailGeo

/// A place on a command line: `LATITUDE,LONGITUDE`.
enum PlaceArgument {
    static func coordinate(_ text: String) throws -> Coordinate {
        try coordinate(text.split(separator: ",", omittingEmptySubsequences: false), in: text)
    }

    /// Parses arguments of which one may be the latitude and the other one the longitude, with or without a comma.
    static func coordinate(_ arguments: [String]) throws -> Coordinate {
        guard !arguments.isEmpty else { throw ValidationError("expected a coordinate, such as 55.6761,12.5683") }
        return try coordinate(arguments.flatMap { $0.split(separator: ",") }, in: arguments.joined(separator: " "))
    }

    /// - Parameter text: The complete text, for messages.
    private static func coordinate(_ parts: [Substring], in text: String) throws -> Coordinate {
        let numbers = parts.map { Double($0.filter { $0 != " " }) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
            throw ValidationError("\"\(text)\" is not LATITUDE,LONGITUDE, such as 55.6761,12.5683")
        }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else {
            throw ValidationError("\"\(text)\": a latitude is from -90 to 90, a longitude from -180 to 180")
        }
        return coordinate
    }
}
#endif
