/// A number of bytes, as used in options: `10MiB` in a configuration, `.mebibytes(10)` in code.
public struct ByteSize: Sendable, Hashable, Comparable {
    /// The number of bytes, from 0.
    public var bytes: Int

    /// Creates a size from a number of bytes; a negative number counts as 0.
    public init(bytes: Int) { self.bytes = max(0, bytes) }

    /// Returns `count` bytes.
    public static func bytes(_ count: Int) -> ByteSize { ByteSize(bytes: count) }

    /// Returns `count` KiB.
    public static func kibibytes(_ count: Int) -> ByteSize { ByteSize(bytes: saturated(count, 1 << 10)) }

    /// Returns `count` MiB.
    public static func mebibytes(_ count: Int) -> ByteSize { ByteSize(bytes: saturated(count, 1 << 20)) }

    /// Returns `count` GiB.
    public static func gibibytes(_ count: Int) -> ByteSize { ByteSize(bytes: saturated(count, 1 << 30)) }

    private static func saturated(_ count: Int, _ unit: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? .max : product
    }

    /// Returns whether `lhs` is fewer bytes than `rhs`.
    public static func < (lhs: ByteSize, rhs: ByteSize) -> Bool { lhs.bytes < rhs.bytes }
}

extension ByteSize: LosslessStringConvertible {
    /// The units and their sizes in bytes. Of equal ones the first is used for output.
    private static let units: [(name: String, size: Int)] = [
        ("PiB", 1 << 50), ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000), ("KB", 1000),
        ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10), ("k", 1 << 10), ("", 1),
    ]

    /// Parses a number with a unit: `B`, `KiB MiB GiB TiB PiB` or `K M G T` (powers of 1024), `kB MB GB TB` (powers of
    /// 1000). A number without a unit is in bytes. A space before the unit and a decimal fraction are allowed.
    ///
    /// - Returns: `nil` for any other string, and for more than `Int.max` bytes.
    public init?(_ description: String) {
        let text = Array(description.utf8)
        var end = 0
        guard let bytes = Amount.parse(text, at: &end, Self.units), end == text.count else { return nil }
        self.init(bytes: bytes)
    }

    /// The number in the largest unit that divides it: `10MiB`, `1500B`.
    public var description: String {
        guard bytes > 0, let unit = Self.units.prefix(6).first(where: { bytes % $0.size == 0 }) else {
            return "\(bytes)B"
        }
        return "\(bytes / unit.size)\(unit.name)"
    }
}

extension ByteSize: Decodable {
    /// Decodes a string with a unit, or an integer number of bytes.
    ///
    /// - Throws: `DecodingError` that describes the form of a size.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let bytes = try? value.decode(Int.self), bytes >= 0 {
            self.init(bytes: bytes)
            return
        }
        guard let text = try? value.decode(String.self), let size = ByteSize(text) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "must be a size such as 64KiB, 10MiB or 2GB")
        }
        self = size
    }
}
