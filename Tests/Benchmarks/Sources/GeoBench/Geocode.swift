import FoundationEssentials
import TaffrailGeo

/// Looks up the coordinates of a file, a latitude and a longitude a line: one after the other, and all at once. Prints the
/// seconds of both and a list of country, region and town for each coordinate.
func geocode(database: String, coordinates path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let coordinates = text.split(separator: "\n").compactMap { line -> Coordinate? in
        let parts = line.split(separator: " ")
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
    let geocoder = try OfflineGeocoder(path: database)
    _ = geocoder.placemarks(at: coordinates)
    let start = now()
    var found: [Placemark?] = []
    found.reserveCapacity(coordinates.count)
    for coordinate in coordinates { found.append(geocoder.placemark(at: coordinate)) }
    let middle = now()
    let batch = geocoder.placemarks(at: coordinates)
    let end = now()
    precondition(batch == found)
    struct Result: Encodable {
        var single: Double
        var batch: Double
        var names: [[String?]]
    }
    let names = found.prefix(3_000).map { [$0?.countryCode, $0?.regionCode, $0?.locality] }
    let result = Result(single: middle - start, batch: end - middle, names: Array(names))
    print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
}
