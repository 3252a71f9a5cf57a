internal import Taffrail

/// Builds the bytes of a geocoder's file, section by section in the order of the table.
struct GeocoderFileWriter {
    private var bytes = [UInt8](repeating: 0, count: GeocoderFormat.dataOffset)

    /// Adds a section.
    mutating func add(_ section: GeocoderFormat.Section, _ entries: [UInt8]) {
        let entry = GeocoderFormat.tableOffset + 16 * section.rawValue
        put(UInt64(bytes.count), at: entry)
        put(UInt64(entries.count / section.stride), at: entry + 8)
        bytes += entries
        while bytes.count % 8 != 0 { bytes.append(0) }
    }

    /// The whole file.
    consuming func finished() -> [UInt8] {
        put(GeocoderFormat.magic, at: 0)
        put(GeocoderFormat.version, at: 8)
        put(UInt32(GeocoderFormat.Section.allCases.count), at: 12)
        put(UInt64(bytes.count), at: 16)
        return bytes
    }

    private mutating func put<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { raw in
            for (index, byte) in raw.enumerated() { bytes[offset + index] = byte }
        }
    }
}

extension [UInt8] {
    /// Appends a number in little-endian order.
    mutating func append<T: FixedWidthInteger>(number value: T) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends a coordinate: the latitude, then the longitude.
    mutating func append(point: GridPoint) {
        append(number: point.y)
        append(number: point.x)
    }
}

/// Strings, countries and regions, each stored once.
struct GeocoderTables {
    private(set) var strings: [UInt8] = []
    private(set) var countries: [UInt8] = []
    private(set) var regions: [UInt8] = []
    private var stringOffsets: [String: UInt32] = [:]
    private var countryNumbers: [String: UInt16] = [:]
    private var regionNumbers: [String: UInt16] = [:]

    /// The offset of a string; one that is too long is truncated.
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

    /// The number of a country.
    mutating func country(_ code: String) -> UInt16 {
        if let number = countryNumbers[code] { return number }
        let number = UInt16(countryNumbers.count)
        countryNumbers[code] = number
        countries.append(number: Self.pair(code))
        countries.append(number: Self.pair(Continents.code(of: code) ?? ""))
        return number
    }

    /// The number of a region; ``GeocoderFormat/none16`` for `nil`.
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
