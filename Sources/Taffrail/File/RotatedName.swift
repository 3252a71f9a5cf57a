/// The name of a rotated file: `app-20260105T143000.123Z-0001.log`, with the time of its rotation in UTC and a number.
///
/// Names sort in the order of the files, because every new name of a log sorts after all existing ones.
package struct RotatedName: Hashable, Comparable, Sendable {
    /// The compression of the file, given by the suffix of its name.
    package enum Compression: String, Sendable {
        case none = ""
        case gzip = ".gz"
        case zstd = ".zst"
    }

    /// The time of the rotation, in milliseconds since 1970.
    let milliseconds: Int64
    /// The same in nanoseconds, clamped to the years 1677 to 2262.
    var nanoseconds: Int64 { Int64(clamping: Int128(milliseconds) * 1_000_000) }
    /// From 1; distinguishes rotations in the same millisecond.
    let number: Int64
    package fileprivate(set) var compression = Compression.none

    /// The largest number within one millisecond.
    static let lastNumber: Int64 = 9999
    /// The length of `YYYYMMDDTHHMMSS.mmmZ-NNNN`.
    package static let middleLength = 25
}

extension RotatedName {
    /// Parses a name; `nil` unless it has the full pattern of this log.
    package init?(_ name: String, of log: LogPath) {
        var name = name
        guard let found = name.withUTF8({ RotatedName(UnsafeRawBufferPointer($0), of: log) }) else { return nil }
        self = found
    }

    /// Parses the bytes of a name.
    package init?(_ name: UnsafeRawBufferPointer, of log: LogPath) {
        let compression = Self.compression(of: name)
        let length = name.count - compression.rawValue.utf8.count
        let before = log.stem.utf8.count + 1
        guard length == before + Self.middleLength + log.suffix.utf8.count, name[before - 1] == UInt8(ascii: "-"),
            name[..<(before - 1)].elementsEqual(log.stem.utf8),
            name[(before + Self.middleLength)..<length].elementsEqual(log.suffix.utf8)
        else { return nil }
        let middle = UnsafeRawBufferPointer(rebasing: name[before..<before + Self.middleLength])
        guard let (milliseconds, number) = Self.middle(middle) else { return nil }
        self.init(milliseconds: milliseconds, number: number, compression: compression)
    }

    /// Returns the compression of a file, given by the suffix of its name.
    package static func compression(of name: UnsafeRawBufferPointer) -> Compression {
        if name.last == UInt8(ascii: "z"), name.suffix(3).elementsEqual(Compression.gzip.rawValue.utf8) { return .gzip }
        if name.last == UInt8(ascii: "t"), name.suffix(4).elementsEqual(Compression.zstd.rawValue.utf8) { return .zstd }
        return .none
    }

    /// Returns the name with another compression.
    package func compressed(_ compression: Compression) -> RotatedName {
        RotatedName(milliseconds: milliseconds, number: number, compression: compression)
    }

    /// Returns the file name for a log.
    package func text(in log: LogPath) -> String {
        let seconds = CivilTime.floorDivide(milliseconds, by: 1000)
        let time = CivilTime(secondsSince1970: seconds)
        let (milliseconds, number) = (Decimal.padded(milliseconds - seconds * 1000, 3), Decimal.padded(number, 4))
        return log.stem + "-" + time.date.filter { $0 != "-" } + "T" + time.clock.filter { $0 != ":" } + "."
            + milliseconds + "Z-" + number + log.suffix + compression.rawValue
    }

    /// Returns the first name at or after a time that sorts after `last`.
    static func next(at milliseconds: Int64, after last: RotatedName?) -> RotatedName {
        // The year has only four digits.
        let time = min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_000)
        guard let last, time <= last.milliseconds else { return RotatedName(milliseconds: time, number: 1) }
        if last.number < lastNumber { return RotatedName(milliseconds: last.milliseconds, number: last.number + 1) }
        return RotatedName(milliseconds: last.milliseconds + 1, number: 1)
    }

    package static func < (lhs: RotatedName, rhs: RotatedName) -> Bool {
        (lhs.milliseconds, lhs.number, lhs.compression.rawValue)
            < (rhs.milliseconds, rhs.number, rhs.compression.rawValue)
    }

    /// Parses `YYYYMMDDTHHMMSS.mmmZ-NNNN`.
    package static func middle(_ text: UnsafeRawBufferPointer) -> (milliseconds: Int64, number: Int64)? {
        guard text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "."), text[19] == UInt8(ascii: "Z"),
            text[20] == UInt8(ascii: "-"), let year = TimeDigits.number(text, 0, 4),
            let month = TimeDigits.number(text, 4, 2), let day = TimeDigits.number(text, 6, 2),
            let hour = TimeDigits.number(text, 9, 2), let minute = TimeDigits.number(text, 11, 2),
            let second = TimeDigits.number(text, 13, 2), let fraction = TimeDigits.number(text, 16, 3), hour < 24,
            minute < 60, second < 60, let index = TimeDigits.number(text, 21, 4), index > 0
        else { return nil }
        let time = CivilTime(year: year, month: month, day: day, secondOfDay: hour * 3600 + minute * 60 + second)
        guard time.exists else { return nil }
        return (time.secondsSince1970 * 1000 + fraction, index)
    }
}
