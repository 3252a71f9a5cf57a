internal import Taffrail
package import TaffrailText

/// Reads polygons of countries and regions from GeoJSON with the properties of Natural Earth.
///
/// The country is the first of `gu_a3`, `iso_a2`, `adm0_a3`, `iso_a3` and `country` that is in ISO 3166-1; the case of
/// property names is ignored. The region is `iso_3166_2` or `region`, or else found by one of the names. A feature
/// without a country is skipped.
package struct BoundaryReader: ~Copyable {
    private let codes: ISOCodes
    /// The numbers of features, of those without a country, and of those without a region.
    package private(set) var counts = (features: 0, withoutCountry: 0, withoutRegion: 0)

    package init(_ codes: ISOCodes) { self.codes = codes }

    /// Reads a collection of features and passes on each one.
    package mutating func read(_ source: any ByteSource, _ body: (GeocoderBuilder.Boundary) -> Void) throws(ReadError) {
        var reader = JSONReader(source)
        guard try reader.enterObject() else { throw reader.error("no GeoJSON object") }
        while try reader.nextKey() {
            guard reader.isText("features") else {
                try reader.skipValue()
                continue
            }
            guard try reader.next() == .beginArray else { throw reader.error("\"features\" is not an array") }
            while true {
                let token = try reader.next()
                if token == .endArray { break }
                guard token == .beginObject else { throw reader.error("a feature is not an object") }
                var feature: [String: LogValue] = [:]
                while try reader.nextKey() {
                    let key = reader.text
                    feature[key] = try reader.value()
                }
                if let boundary = boundary(feature) { body(boundary) }
            }
        }
    }

    private mutating func boundary(_ feature: [String: LogValue]) -> GeocoderBuilder.Boundary? {
        counts.features += 1
        var properties: [String: String] = [:]
        if case .map(let entries)? = feature["properties"] {
            for entry in entries {
                if case .string(let text) = entry.value { properties[entry.key.lowercased()] = text }
            }
        }
        let country = ["gu_a3", "iso_a2", "adm0_a3", "iso_a3", "country"]
            .compactMap { properties[$0] }.compactMap { codes.country($0) }.first
        guard let country else {
            counts.withoutCountry += 1
            return nil
        }
        let names = ["name", "gn_name", "woe_name", "woe_label", "name_en", "name_local"].compactMap { properties[$0] }
        let region =
            ["iso_3166_2", "region"].compactMap { properties[$0] }.compactMap { codes.topLevel(of: $0) }
            .first { $0.hasPrefix(country + "-") }
            ?? codes.region(of: country, named: names.map { String($0.split(separator: ",").first ?? "") })
        if region == nil { counts.withoutRegion += 1 }
        guard let coordinates = feature["geometry"]?["coordinates"] else { return nil }
        var rings: [[Coordinate]] = []
        Self.collect(coordinates, into: &rings)
        return GeocoderBuilder.Boundary(country: country, region: region, rings: rings)
    }

    /// Finds the lists of positions at any depth.
    private static func collect(_ value: LogValue, into rings: inout [[Coordinate]]) {
        guard case .array(let elements) = value else { return }
        let ring = elements.compactMap(position)
        if ring.count == elements.count && !ring.isEmpty {
            rings.append(ring)
        } else {
            for element in elements { collect(element, into: &rings) }
        }
    }

    private static func position(_ value: LogValue) -> Coordinate? {
        guard case .array(let numbers) = value, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
