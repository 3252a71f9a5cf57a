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

    /// Returns the whole file.
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
