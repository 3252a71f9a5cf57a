internal import Taffrail
internal import TaffrailText

/// One sentence of NMEA 0183: `$GPRMC,…*7A`.
public struct NMEASentence: Sendable {
    /// The reason why a line is not a sentence.
    public enum Failure: Error, Sendable, Hashable {
        /// It does not start with `$` and a talker, or contains characters that are not printable ASCII.
        case malformed
        /// The checksum does not match.
        case checksum
    }

    private let bytes: [UInt8]
    /// The offsets of the fields, followed by a sentinel.
    private let starts: [Int]
    /// Whether it had a checksum, which then matched.
    public let hasChecksum: Bool

    /// The talker: `GP`, `GN`, …; `P` for proprietary sentences.
    public var talker: String { isProprietary ? "P" : text(0, prefix: 2) }
    /// The type: `RMC`, `GGA`, …; for proprietary sentences everything after the `P`.
    public var type: String { String(text(0).dropFirst(isProprietary ? 1 : 2)) }
    /// The number of fields after the type.
    public var count: Int { starts.count - 2 }

    private var isProprietary: Bool { bytes.first == UInt8(ascii: "P") }

    /// Parses a line, ignoring surrounding spaces, CR, LF, and anything before the `$`.
    ///
    /// A checksum must match if present. Old receivers omit it.
    public init(_ line: some BidirectionalCollection<UInt8>) throws(Failure) {
        guard let dollar = line.lastIndex(of: UInt8(ascii: "$")) else { throw .malformed }
        var bytes = Array(line[dollar...].dropFirst())
        while let last = bytes.last, last <= 32 { bytes.removeLast() }
        let star = bytes.lastIndex(of: UInt8(ascii: "*"))
        if let star {
            guard star + 3 == bytes.count, let high = HexText.digit(bytes[star + 1]),
                let low = HexText.digit(bytes[star + 2])
            else {
                throw .malformed
            }
            guard bytes[..<star].reduce(0, ^) == high << 4 | low else { throw .checksum }
            bytes.removeSubrange(star...)
        }
        guard bytes.count >= 4, bytes.allSatisfy({ $0 >= 32 && $0 < 127 }) else { throw .malformed }
        var starts = [0]
        for index in bytes.indices where bytes[index] == UInt8(ascii: ",") { starts.append(index + 1) }
        starts.append(bytes.count + 1)
        guard starts[1] > 4 || bytes[0] == UInt8(ascii: "P") else { throw .malformed }
        self.bytes = bytes
        self.starts = starts
        hasChecksum = star != nil
    }

    /// Returns whether it is a talker's sentence of `type`, three letters.
    func hasType(_ type: StaticString) -> Bool {
        guard starts[1] == 6, !isProprietary else { return false }
        return bytes[2] == type.utf8Start[0] && bytes[3] == type.utf8Start[1] && bytes[4] == type.utf8Start[2]
    }

    /// Calls `body` with a field's bytes; field 0 is talker and type. Empty for a missing field.
    func withField<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        guard index + 1 < starts.count else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
        return bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[starts[index]..<starts[index + 1] - 1]))
        }
    }

    /// Returns a field as a string; field 0 is talker and type.
    public func text(_ index: Int) -> String { withField(index) { String(decoding: $0, as: UTF8.self) } }

    private func text(_ index: Int, prefix: Int) -> String { String(text(index).prefix(prefix)) }

    /// Returns a field of one letter.
    func letter(_ index: Int) -> UInt8? { withField(index) { $0.count == 1 ? $0[0] : nil } }

    /// Returns a field as a number; `nil` if it is empty or not a number.
    func number(_ index: Int) -> Double? { withField(index) { DecimalText.double($0) } }

    /// Returns a field as an integer; `nil` if it is empty or not an integer.
    func whole(_ index: Int) -> Int? { number(index).flatMap { Int(exactly: $0) } }

    /// Returns the degrees in two fields, `4807.038` and `N`; `nil` unless both are valid.
    func degrees(_ index: Int, positive: Unicode.Scalar, negative: Unicode.Scalar, limit: Double) -> Double? {
        guard let value = number(index), value >= 0, let side = letter(index + 1) else { return nil }
        let degrees = (value / 100).rounded(.down)
        let minutes = value - degrees * 100
        guard minutes < 60 else { return nil }
        let result = degrees + minutes / 60
        guard result <= limit else { return nil }
        if side == UInt8(ascii: positive) { return result }
        return side == UInt8(ascii: negative) ? -result : nil
    }

    /// Returns the coordinate in four fields.
    func coordinate(_ index: Int) -> Coordinate? {
        guard let latitude = degrees(index, positive: "N", negative: "S", limit: 90),
            let longitude = degrees(index + 2, positive: "E", negative: "W", limit: 180)
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Returns the nanoseconds since midnight in `hhmmss.sss`.
    func timeOfDay(_ index: Int) -> Int? {
        withField(index) { field in
            guard field.count >= 6, let whole = Self.digits(field[0..<6]) else { return nil }
            var nanoseconds = 0
            if field.count > 6 {
                guard field[6] == UInt8(ascii: ".") else { return nil }
                var scale = 100_000_000
                for byte in field[7...] {
                    guard byte &- 48 < 10 else { return nil }
                    nanoseconds += Int(byte - 48) * scale
                    scale /= 10
                }
            }
            let (hour, minute, second) = (whole / 10_000, whole / 100 % 100, whole % 100)
            guard hour < 24, minute < 60, second <= 60 else { return nil }
            return (hour * 3_600 + minute * 60 + second) * 1_000_000_000 + nanoseconds
        }
    }

    /// Returns the date in `ddmmyy`; years of 80 or more belong to the last century.
    func date(_ index: Int) -> CivilTime? {
        withField(index) { field in
            guard field.count == 6, let value = Self.digits(field[0..<6]) else { return nil }
            let number = Int64(value)
            let year = number % 100
            let date = CivilTime(
                year: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100, day: number / 10_000)
            return date.exists ? date : nil
        }
    }

    private static func digits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var value = 0
        for byte in bytes {
            guard byte &- 48 < 10 else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        return value
    }
}
