/// Strings, countries and regions, each stored once.
struct GeocoderTables {
    private(set) var strings: [UInt8] = []
    private(set) var countries: [UInt8] = []
    private(set) var regions: [UInt8] = []
    private var stringOffsets: [String: UInt32] = [:]
    private var countryNumbers: [String: UInt16] = [:]
    private var regionNumbers: [String: UInt16] = [:]

    /// Returns the offset of a string; one that is too long is truncated.
    mutating func string(_ text: String) -> UInt32 {
        if let offset = stringOffsets[text] { return offset }
        var short = text
        while short.utf8.count > 255 { short.removeLast() }
        let offset = UInt32(strings.count)
        strings.append(UInt8(short.utf8.count))
        strings += short.utf8
        stringOffsets[text] = offset
        return offset
    }

    /// Returns the number of a country.
    mutating func country(_ code: String) -> UInt16 {
        if let number = countryNumbers[code] { return number }
        let number = UInt16(countryNumbers.count)
        countryNumbers[code] = number
        countries.append(number: Self.pair(code))
        countries.append(number: Self.pair(Continents.code(of: code) ?? ""))
        return number
    }

    /// Returns the number of a region; ``GeocoderFormat/none16`` for `nil`.
    mutating func region(_ code: String?, of country: UInt16) -> UInt16 {
        guard let code else { return GeocoderFormat.none16 }
        if let number = regionNumbers[code] { return number }
        guard regionNumbers.count < Int(GeocoderFormat.none16) else { return GeocoderFormat.none16 }
        let number = UInt16(regionNumbers.count)
        regionNumbers[code] = number
        regions.append(number: string(code))
        regions.append(number: UInt32(country))
        return number
    }

    private static func pair(_ letters: String) -> UInt16 {
        let bytes = Array(letters.utf8)
        return bytes.count == 2 ? UInt16(bytes[0]) | UInt16(bytes[1]) << 8 : 0
    }
}
