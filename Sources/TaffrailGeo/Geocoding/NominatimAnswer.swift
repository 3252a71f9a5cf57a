internal import Taffrail
package import TaffrailText

/// The answer of a server with Nominatim's API to `/reverse?format=jsonv2&addressdetails=1`.
package enum NominatimAnswer {
    /// Returns the names of a coordinate; `nil` when the server knows none there.
    ///
    /// - Throws: ``ReadError`` with the byte offset, when the body is not such an answer.
    package static func placemark(_ body: [UInt8]) throws(ReadError) -> Placemark? {
        var reader = JSONReader(body)
        try reader.skipByteOrderMark()
        guard case .map(let entries) = try reader.value() else { throw reader.error("expected an object") }
        let answer = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        if answer["error"] != nil { return nil }
        guard case .map(let parts)? = answer["address"] else { throw reader.error("expected a member \"address\"") }
        let address = parts.reduce(into: [String: String]()) { address, part in
            if case .string(let text) = part.value, !text.isEmpty { address[part.key] = text }
        }
        return placemark(address)
    }

    private static func placemark(_ address: [String: String]) -> Placemark? {
        guard let country = address["country_code"]?.uppercased(), isCode(country) else { return nil }
        var result = Placemark()
        // The lowest level number is the top-level subdivision: FR-IDF rather than FR-75C.
        let levels = (2...12).lazy.compactMap { address["ISO3166-2-lvl\($0)"] }
        let region = levels.first { $0.hasPrefix(country + "-") }
        if let territory = region.flatMap({ territories[$0] }) {
            result.countryCode = territory
        } else {
            result.countryCode = country
            result.regionCode = region
        }
        result.continentCode = result.countryCode.flatMap { Continents.code(of: $0) }
        result.locality = localities.lazy.compactMap { address[$0] }.first
        result.postalCode = address["postcode"]
        return result
    }

    private static func isCode(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// Kinds of settlements, the largest first.
    private static let localities = ["city", "town", "village", "municipality", "hamlet", "isolated_dwelling"]

    /// Subdivisions with their own country code in ISO 3166-1.
    private static let territories = [
        "CN-HK": "HK", "CN-MO": "MO", "CN-TW": "TW", "FI-01": "AX", "FR-971": "GP", "FR-972": "MQ", "FR-973": "GF",
        "FR-974": "RE", "FR-976": "YT", "FR-BL": "BL", "FR-MF": "MF", "FR-NC": "NC", "FR-PF": "PF", "FR-PM": "PM",
        "FR-TF": "TF", "FR-WF": "WF", "NL-AW": "AW", "NL-CW": "CW", "NL-SX": "SX", "NO-21": "SJ", "NO-22": "SJ",
        "US-AS": "AS", "US-GU": "GU", "US-MP": "MP", "US-PR": "PR", "US-UM": "UM", "US-VI": "VI",
    ]
}
