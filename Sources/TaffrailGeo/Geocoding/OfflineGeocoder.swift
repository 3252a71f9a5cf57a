internal import Glibc
package import Taffrail
internal import TaffrailText

/// Finds names for coordinates in a file, without a network. `taffrail geocoder build` creates the file.
///
/// The country is that of the polygon around the coordinate or, outside of all polygons, that of the nearest place
/// within 50 km. The region is that of the polygon, else that of the town, if GeoNames' regions are in the database.
/// The town is within 10 km, or is a city whose outskirts are within 10 km; otherwise it is `nil`. The postal code is
/// that of the nearest centre within 5 km. Any thread may call. Only the result is allocated.
public final class OfflineGeocoder: Sendable {
    /// The name of a file that cannot be opened, and the reason.
    public struct OpenError: Error, CustomStringConvertible {
        /// A reason such as `/usr/share/taffrail/geocoder.db: is not a geocoder database`.
        public let description: String
        /// The failed system call; `nil` for a file that is not a database.
        package let cause: SystemError?
    }

    /// The maximum distance of a place of the same country whose time zone is used, in metres.
    private static let zoneDistance = 30_000.0
    /// The maximum distance of a place that is used as the locality, in metres; for a city, up to ``cityRadius`` more.
    private static let localityDistance = 10_000.0
    /// The maximum distance of a place that determines the country outside of all polygons, in metres.
    private static let coastDistance = 50_000.0
    /// The maximum distance of a postal code's centre, in metres.
    private static let codeDistance = 5_000.0
    /// The maximum extra distance at which a large city is preferred, in metres.
    private static let cityRadius = 12_000.0

    /// The radius of the first search, in metres.
    private static let innerDistance = 20_000.0
    /// A millionth of a degree of latitude, in metres.
    private static let unit = 0.11132

    let sections: GeocoderSections

    /// Opens a database. To update it, replace the file; never modify it in place.
    public init(path: String) throws(OpenError) {
        do {
            let file = try FileDescriptor(reading: path)
            let status = try file.status()
            guard status.isRegular, status.size >= Int64(GeocoderFormat.dataOffset) else {
                throw GeocoderSections.Problem(reason: "is not a geocoder database")
            }
            sections = try GeocoderSections(try MemoryMap.readOnly(fd: file.number, length: Int(status.size)))
        } catch let problem as GeocoderSections.Problem {
            throw OpenError(description: "\(path) \(problem.reason)", cause: nil)
        } catch {
            throw OpenError(description: "\(error)", cause: error as? SystemError)
        }
    }

    /// Returns the names of a coordinate; `nil` at sea, more than 50 km from any country.
    public func placemark(at coordinate: Coordinate) -> Placemark? {
        guard coordinate.isValid else { return nil }
        let point = GeocoderGrid.units(coordinate)
        let shape = shape(at: point)
        var country = shape.map { sections.load(UInt16.self, .shapes, $0) }
        var region = shape.map { sections.load(UInt16.self, .shapes, $0, at: 2) } ?? GeocoderFormat.none16
        let limit = country == nil ? Self.coastDistance : Self.zoneDistance
        let place = nearestPlace(to: coordinate, country: country, within: limit)
        if country == nil {
            guard let place else { return nil }
            country = sections.load(UInt16.self, .places, place.number, at: 16)
            region = sections.load(UInt16.self, .places, place.number, at: 18)
        } else if region == GeocoderFormat.none16, let place, place.score <= Self.localityDistance {
            region = self.region(of: place.number, in: shape)
        }
        guard let country else { return nil }
        var result = Placemark()
        result.countryCode = sections.letters(.countries, Int(country), at: 0)
        result.continentCode = sections.letters(.countries, Int(country), at: 2)
        if region != GeocoderFormat.none16 {
            result.regionCode = sections.string(sections.load(UInt32.self, .regions, Int(region)))
        }
        if let place {
            if place.score <= Self.localityDistance {
                result.locality = sections.string(sections.load(UInt32.self, .places, place.number, at: 8))
            }
            let zone = sections.load(UInt32.self, .places, place.number, at: 20)
            if zone != GeocoderFormat.none32 { result.timeZone = sections.string(zone) }
        }
        if let code = nearestCode(to: coordinate, country: country) {
            result.postalCode = sections.string(sections.load(UInt32.self, .codes, code, at: 8))
        }
        return result
    }

    // MARK: Shapes

    /// Returns the shape that contains a point.
    private func shape(at point: GridPoint) -> Int? {
        let walk = GeocoderWalk(to: point)
        let cell = GeocoderGrid.cell(of: point)
        for part in sections.entries(.shapeCells, cell, upTo: cell, of: .parts) {
            var isInside = sections.load(UInt16.self, .parts, part, at: 2) != 0
            let first = Int(sections.load(UInt32.self, .parts, part, at: 4))
            let count = Int(sections.load(UInt32.self, .parts, part, at: 8))
            guard first + count <= sections.count(.edges) else { continue }
            let edges = sections.pointer(.edges, first..<first + count)
            let points = sections.pointer(.points, 0..<sections.count(.points))
            for edge in 0..<count {
                let corner = Int(UInt32(littleEndian: edges.loadUnaligned(fromByteOffset: 4 * edge, as: UInt32.self)))
                guard corner + 1 < sections.count(.points) else { continue }
                if walk.crosses(GridPoint(points + 8 * corner), GridPoint(points + 8 * corner + 8)) {
                    isInside.toggle()
                }
            }
            if isInside { return Int(sections.load(UInt16.self, .parts, part)) }
        }
        return nil
    }

    /// Returns the region of a place if it is in the same polygon, which has no region itself. A place in another
    /// polygon may be in another region.
    private func region(of place: Int, in shape: Int?) -> UInt16 {
        let region = sections.load(UInt16.self, .places, place, at: 18)
        guard region != GeocoderFormat.none16 else { return region }
        let point = GridPoint(sections.pointer(.places, place..<place + 1))
        return self.shape(at: point) == shape ? region : GeocoderFormat.none16
    }

    // MARK: Places

    /// Returns the nearest place and its distance in metres, reduced by the place's size, so that a city slightly
    /// further away is preferred to a hamlet.
    private func nearestPlace(
        to coordinate: Coordinate, country: UInt16?, within limit: Double
    ) -> (number: Int, score: Double)? {
        // Most places are found within the inner radius.
        for radius in [Self.innerDistance, limit + Self.cityRadius] {
            var best: (number: Int, score: Double)?
            // Places further away than this cannot be better.
            var reach = limit * limit
            forEach(.placeCells, .places, around: coordinate, within: radius) { place, entry, square in
                guard square <= reach else { return }
                let found = UInt16(littleEndian: entry.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
                guard country == nil || found == country else { return }
                let people = Double(UInt32(littleEndian: entry.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
                let score = square.squareRoot() - min(Self.cityRadius, 20 * people.squareRoot())
                guard score < best?.score ?? .infinity else { return }
                best = (place, score)
                let most = max(0, min(limit, score + Self.cityRadius))
                reach = most * most
            }
            if let best, best.score <= radius - Self.cityRadius || radius > limit { return best }
        }
        return nil
    }

    private func nearestCode(to coordinate: Coordinate, country: UInt16) -> Int? {
        if sections.count(.codes) == 0 { return nil }
        var best: Int?
        var reach = Self.codeDistance * Self.codeDistance
        forEach(.codeCells, .codes, around: coordinate, within: Self.codeDistance) { code, entry, square in
            guard square < reach,
                UInt16(littleEndian: entry.loadUnaligned(fromByteOffset: 12, as: UInt16.self)) == country
            else { return }
            (best, reach) = (code, square)
        }
        return best
    }

    /// Calls `body` with the entries of the cells around a coordinate, and the squares of their distances in metres,
    /// accurate to 1 %.
    @inline(__always)
    private func forEach(
        _ cells: GeocoderFormat.Section, _ section: GeocoderFormat.Section, around coordinate: Coordinate,
        within radius: Double, _ body: (Int, UnsafeRawPointer, Double) -> Void
    ) {
        let shrink = max(1e-6, cos(coordinate.latitude * .pi / 180))
        let point = GeocoderGrid.units(coordinate)
        let (height, width) = (radius / Self.unit, min(radius / Self.unit / shrink, 180e6))
        let south = GeocoderGrid.row(clamped(Double(point.y) - height))
        let north = GeocoderGrid.row(clamped(Double(point.y) + height))
        let size = Double(GeocoderGrid.cellSize)
        let west = Int(((Double(point.x) - width + 180e6) / size).rounded(.down))
        let east = min(Int(((Double(point.x) + width + 180e6) / size).rounded(.down)), west + GeocoderGrid.columns - 1)
        for row in south...north {
            let first = row * GeocoderGrid.columns
            // Around the antimeridian the range has two parts.
            for turn in [-1, 0, 1] {
                let columns = GeocoderGrid.columns
                let (start, end) = (max(west, turn * columns), min(east, (turn + 1) * columns - 1))
                guard start <= end else { continue }
                let offset = first - turn * columns
                let range = sections.entries(cells, offset + start, upTo: offset + end, of: section)
                var entry = sections.pointer(section, range)
                for number in range {
                    let place = GridPoint(entry)
                    let y = Double(place.y) - Double(point.y)
                    let x = (Double(place.x) + Double(turn) * 360e6 - Double(point.x)) * shrink
                    body(number, entry, (y * y + x * x) * (Self.unit * Self.unit))
                    entry += section.stride
                }
            }
        }
    }

    private func clamped(_ y: Double) -> Int32 { Int32(max(-90e6, min(90e6 - 1, y))) }

    // MARK: Description

    /// The sources of the data, and their licences.
    public var notes: String { sections.notes }
    /// The length of the file in bytes.
    public var length: Int { sections.length }
    /// The number of places.
    public var placeCount: Int { sections.count(.places) }
    /// The numbers of countries, regions, corners of polygons, and postal codes.
    package var counts: (countries: Int, regions: Int, corners: Int, codes: Int) {
        (
            sections.count(.countries), sections.count(.regions), sections.count(.points),
            sections.count(.codes)
        )
    }
}
