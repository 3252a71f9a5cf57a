#if Command
internal import ArgumentParser
internal import TaffrailGeo

/// A place on a command line: `LATITUDE,LONGITUDE`.
enum PlaceArgument {
    static func coordinate(_ text: String) throws -> Coordinate {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.filter { $0 != " " })
        }
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
