package import Taffrail
package import TaffrailText

/// Reads the tables published by GeoNames: lines of tab-separated fields.
package enum GeoNamesReader {
    /// The maximum length of a line; lines with thousands of alternate names come close to it.
    private static let limit = 1 << 20

    /// Reads the names of regions from `admin1CodesASCII.txt`.
    ///
    /// - Parameter regions: Receives the ISO 3166-2 code of each region by GeoNames' code, such as `FR.11`, unless
    ///   `codes` has none for its name.
    /// - Returns: The number of lines that could not be parsed.
    package static func regions(
        _ source: any ByteSource, _ codes: ISOCodes, into regions: inout [String: String]
    ) throws(SystemError) -> Int {
        try forEachLine(source) { fields in
            guard fields.count >= 3 else { return false }
            let code = text(fields[0])
            let parts = code.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, parts[0].utf8.count == 2 else { return false }
            let names = [text(fields[1]), text(fields[2])]
            if let region = codes.region(of: String(parts[0]), named: names) { regions[code] = region }
            return true
        }
    }

    /// Reads places from `cities500.txt` and similar files, or from a country's file. Entries that are not populated
    /// places, or only parts of one, are skipped.
    ///
    /// - Parameter regions: ISO 3166-2 codes by GeoNames' codes of regions; see ``regions(_:_:into:)``.
    /// - Returns: The number of lines that could not be parsed.
    package static func places(
        _ source: any ByteSource, regions: [String: String] = [:], _ body: (GeocoderBuilder.Place) -> Void
    ) throws(SystemError) -> Int {
        try forEachLine(source) { fields in
            guard fields.count >= 18, let coordinate = coordinate(fields[4], fields[5]), fields[8].count == 2,
                !fields[1].isEmpty
            else { return false }
            let kind = text(fields[7])
            guard fields[6].isEmpty || text(fields[6]) == "P", kind != "PPLX", kind != "PPLH", kind != "PPLQ" else {
                return true
            }
            let country = text(fields[8])
            body(
                GeocoderBuilder.Place(
                    name: text(fields[1]), coordinate: coordinate, country: country,
                    population: Int(text(fields[14])) ?? 0, timeZone: fields[17].isEmpty ? nil : text(fields[17]),
                    region: fields[10].isEmpty ? nil : regions["\(country).\(text(fields[10]))"]))
            return true
        }
    }

    /// Reads postal codes from `allCountries.txt` of the postal codes, or from a country's file.
    ///
    /// - Returns: The number of lines that could not be parsed.
    package static func codes(
        _ source: any ByteSource, _ body: (GeocoderBuilder.PostalCode) -> Void
    ) throws(SystemError) -> Int {
        try forEachLine(source) { fields in
            guard fields.count >= 11, let coordinate = coordinate(fields[9], fields[10]), fields[0].count == 2,
                !fields[1].isEmpty
            else { return false }
            body(GeocoderBuilder.PostalCode(code: text(fields[1]), coordinate: coordinate, country: text(fields[0])))
            return true
        }
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String { String(decoding: field, as: UTF8.self) }

    private static func coordinate(_ latitude: ArraySlice<UInt8>, _ longitude: ArraySlice<UInt8>) -> Coordinate? {
        guard let latitude = Double(text(latitude)), let longitude = Double(text(longitude)) else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        return coordinate.isValid ? coordinate : nil
    }

    private static func forEachLine(
        _ source: any ByteSource, _ body: ([ArraySlice<UInt8>]) -> Bool
    ) throws(SystemError) -> Int {
        var splitter = LineSplitter(limit: limit)
        var unread = 0
        func take(_ line: [UInt8]) {
            if line.isEmpty || line.first == UInt8(ascii: "#") { return }
            if !body(line.split(separator: 9, omittingEmptySubsequences: false)) { unread += 1 }
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try source.read(into: buffer)
            guard count > 0 else { break }
            for byte in buffer.prefix(count) { if let line = splitter.take(byte) { take(line) } }
        }
        if let line = splitter.finish() { take(line) }
        return unread + splitter.dropped
    }
}
