package import Taffrail

/// Collects countries, regions, places and postal codes, and creates a geocoder's database from them.
package struct GeocoderBuilder: Sendable {
    /// A polygon of a country, or of one of its regions.
    package struct Boundary: Sendable {
        /// ISO 3166-1 alpha-2.
        package var country: String
        /// ISO 3166-2; `nil` if unknown.
        package var region: String?
        /// Outer and inner rings in any order: a point is inside if an odd number of them surround it.
        package var rings: [[Coordinate]]

        package init(country: String, region: String? = nil, rings: [[Coordinate]]) {
            self.country = country
            self.region = region
            self.rings = rings
        }
    }

    /// A city, a town or a village.
    package struct Place: Sendable {
        package var name: String
        package var coordinate: Coordinate
        package var country: String
        package var population: Int
        package var timeZone: String?
        /// ISO 3166-2; `nil` if unknown. The region of a polygon around the place takes precedence.
        package var region: String?

        package init(
            name: String, coordinate: Coordinate, country: String, population: Int = 0, timeZone: String? = nil,
            region: String? = nil
        ) {
            self.name = name
            self.coordinate = coordinate
            self.country = country
            self.population = population
            self.timeZone = timeZone
            self.region = region
        }
    }

    /// The centre of the area of a postal code.
    package struct PostalCode: Sendable {
        package var code: String
        package var coordinate: Coordinate
        package var country: String

        package init(code: String, coordinate: Coordinate, country: String) {
            self.code = code
            self.coordinate = coordinate
            self.country = country
        }
    }

    /// The sources of the data, and their licences.
    package var notes = ""
    package private(set) var boundaries: [Boundary] = []
    package private(set) var places: [Place] = []
    package private(set) var codes: [PostalCode] = []

    package init() {}

    /// Adds a polygon. Rings with fewer than three corners are skipped.
    package mutating func add(_ boundary: Boundary) {
        var boundary = boundary
        boundary.rings = boundary.rings.filter { ring in ring.count >= 3 && ring.allSatisfy(\.isValid) }
        if !boundary.rings.isEmpty { boundaries.append(boundary) }
    }

    /// Adds a place.
    package mutating func add(_ place: Place) { if place.coordinate.isValid { places.append(place) } }

    /// Adds a postal code.
    package mutating func add(_ code: PostalCode) { if code.coordinate.isValid { codes.append(code) } }

    /// Returns the contents of the file.
    package consuming func encoded() -> [UInt8] {
        var tables = GeocoderTables()
        let shapes = GeocoderShapes(boundaries, &tables)
        let places = GeocoderPlaces(places, shapes, &tables)
        let codes = GeocoderCodes(codes, &tables)
        var file = GeocoderFileWriter()
        file.add(.strings, tables.strings)
        file.add(.notes, Array(notes.utf8))
        file.add(.countries, tables.countries)
        file.add(.regions, tables.regions)
        file.add(.places, places.entries)
        file.add(.placeCells, places.cells)
        file.add(.shapes, shapes.shapes)
        file.add(.points, shapes.points)
        file.add(.shapeCells, shapes.cells)
        file.add(.parts, shapes.parts)
        file.add(.edges, shapes.edges)
        file.add(.codes, codes.entries)
        file.add(.codeCells, codes.cells)
        return file.finished()
    }

    /// Writes the file, atomically replacing an existing one.
    package consuming func write(to path: String) throws(SystemError) {
        try FileName.replace(path, with: encoded(), forOwnerOf: nil, mode: 0o644)
    }
}
