/// Writes a picture as PNG: eight bits a colour, no interlacing.
///
/// Its deflate knows only the fixed code, and repetitions of the dot before and of the row above. That is little, but
/// much for a picture that is mostly paper.
enum PNGFile {
    static func bytes(_ raster: Raster) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(raster.width))
        header.append(bigEndian: UInt32(raster.height))
        header += [8, 2, 0, 0, 0]
        chunk("IHDR", header, to: &bytes)
        let stride = raster.width * 3
        var rows: [UInt8] = []
        rows.reserveCapacity(raster.height * (stride + 1))
        for row in 0..<raster.height {
            // Each row begins with its filter; there is none.
            rows.append(0)
            rows += raster.bytes[row * stride..<(row + 1) * stride]
        }
        var data: [UInt8] = [0x78, 0x01]
        var deflate = FixedDeflate(distances: [3, stride + 1])
        data += deflate.compress(rows)
        data.append(bigEndian: adler32(rows))
        chunk("IDAT", data, to: &bytes)
        chunk("IEND", [], to: &bytes)
        return bytes
    }

    private static func chunk(_ name: StaticString, _ data: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(bigEndian: UInt32(data.count))
        let start = bytes.count
        bytes.append(name)
        bytes += data
        bytes.append(bigEndian: crc32(bytes[start...]))
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (one, two): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            one = (one + UInt32(byte)) % 65_521
            two = (two + one) % 65_521
        }
        return two << 16 | one
    }
}

/// Deflate (RFC 1951) with the fixed code, and repetitions from given distances alone.
struct FixedDeflate {
    private let distances: [Int]
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    /// - Parameter distances: From 1 to 32,768.
    init(distances: [Int]) { self.distances = distances.filter { (1...32_768).contains($0) } }

    mutating func compress(_ bytes: [UInt8]) -> [UInt8] {
        output = []
        put(0b011, 3)
        var index = 0
        while index < bytes.count {
            var best = (length: 0, distance: 0)
            for distance in distances where distance <= index {
                let length = Self.repetition(bytes, index, distance)
                if length > best.length { best = (length, distance) }
            }
            if best.length >= 3 {
                put(length: best.length)
                put(distance: best.distance)
                index += best.length
            } else {
                put(symbol: Int(bytes[index]))
                index += 1
            }
        }
        put(symbol: 256)
        if bitCount > 0 { put(0, 8 - bitCount) }
        return output
    }

    private static func repetition(_ bytes: [UInt8], _ index: Int, _ distance: Int) -> Int {
        var length = 0
        while length < 258, index + length < bytes.count, bytes[index + length] == bytes[index + length - distance] {
            length += 1
        }
        return length
    }

    /// Puts bits out, the lowest first.
    private mutating func put(_ value: Int, _ count: Int) {
        bits |= UInt64(value) << UInt64(bitCount)
        bitCount += count
        while bitCount >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    /// Puts a code of Huffman's out, the highest bit first.
    private mutating func put(code: Int, _ count: Int) {
        var reversed = 0
        for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
        put(reversed, count)
    }

    private mutating func put(symbol: Int) {
        switch symbol {
        case 0..<144: put(code: 0x30 + symbol, 8)
        case 144..<256: put(code: 0x190 + symbol - 144, 9)
        case 256..<280: put(code: symbol - 256, 7)
        default: put(code: 0xC0 + symbol - 280, 8)
        }
    }

    private mutating func put(length: Int) {
        guard length < 258 else { return put(symbol: 285) }
        guard length > 10 else { return put(symbol: 254 + length) }
        // From 11 on each doubling of the range has four symbols.
        let rest = length - 3
        let extra = Int.bitWidth - 1 - rest.leadingZeroBitCount - 2
        put(symbol: 257 + 4 * extra + rest >> extra)
        put(rest & (1 << extra - 1), extra)
    }

    private mutating func put(distance: Int) {
        let rest = distance - 1
        guard rest >= 4 else { return put(code: rest, 5) }
        let extra = Int.bitWidth - 1 - rest.leadingZeroBitCount - 1
        put(code: 2 * extra + rest >> extra, 5)
        put(rest & (1 << extra - 1), extra)
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: UInt32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }
}
