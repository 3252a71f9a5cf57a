internal import Taffrail
internal import TaffrailText

/// The offsets of a time zone from UTC, read from the system's time zone database (RFC 8536).
public struct TimeZoneRules: Sendable, Hashable {
    /// Its name, such as `Europe/Copenhagen`.
    public let name: String
    /// The times at which offsets begin, in seconds since 1970, ascending.
    private var transitions: [Int64] = []
    /// The offset after the transition of the same index, in seconds.
    private var offsets: [Int64] = []
    /// The offset before the first transition.
    private var initial: Int64 = 0
    /// The rule after the last transition.
    private var rule: TimeZoneRule?

    /// The directory of the system's database.
    package static let directory = "/usr/share/zoneinfo"

    /// Reads a time zone.
    ///
    /// - Returns: `nil` if the system has no zone of this name.
    public init?(_ name: String) { self.init(name, in: Self.directory) }

    package init?(_ name: String, in directory: String) {
        // A name is a path below the directory.
        guard !name.isEmpty, !name.hasPrefix("/"), !name.utf8.contains(0),
            !name.split(separator: "/", omittingEmptySubsequences: false).contains(where: {
                ["", ".", ".."].contains($0)
            }),
            let bytes = try? FileSource(path: "\(directory)/\(name)").readAll(limit: 1 << 20)
        else { return nil }
        self.init(name, bytes)
    }

    /// Reads a file of the database.
    init?(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        // The 32-bit data come first; versions 2 and later repeat all of it in 64 bits.
        guard let old = Header(bytes, at: 0), old.version >= UInt8(ascii: "2"),
            let header = Header(bytes, at: Header.length + old.size(of: 4))
        else { return nil }
        var start = Header.length * 2 + old.size(of: 4)
        guard bytes.count >= start + header.size(of: 8), header.types > 0 else { return nil }
        let types = start + header.times * 9
        func offset(_ type: Int) -> Int64? {
            guard type < header.types else { return nil }
            return Int64(Int32(truncatingIfNeeded: bytes.bigEndian(4, at: types + type * 6)))
        }
        for index in 0..<header.times {
            guard let offset = offset(Int(bytes[start + header.times * 8 + index])) else { return nil }
            let time = bytes.bigEndian(8, at: start + index * 8)
            if let last = transitions.last, time <= last { return nil }
            transitions.append(time)
            offsets.append(offset)
        }
        initial = offset(0) ?? 0
        start += header.size(of: 8)
        let footer = bytes[start...].dropFirst()
        guard let end = footer.firstIndex(of: 10), footer.startIndex <= end else { return nil }
        rule = TimeZoneRule(footer[..<end])
        if rule == nil && !footer[..<end].isEmpty { return nil }
    }

    /// Returns the seconds to add to UTC.
    ///
    /// - Parameter time: Seconds since 1970, UTC.
    public func offset(at time: Int64) -> Int64 {
        guard let last = transitions.last, time < last else {
            return rule?.offset(at: time) ?? offsets.last ?? initial
        }
        // The first transition after the time.
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initial : offsets[low - 1]
    }

    /// The header of a block of a file.
    private struct Header {
        static let length = 44
        let version: UInt8
        let (utc, standard, leaps, times, types, characters): (Int, Int, Int, Int, Int, Int)

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + Self.length, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
                return nil
            }
            version = bytes[start + 4]
            let counts = (0..<6).map { Int(bytes.bigEndian(4, at: start + 20 + $0 * 4)) }
            // The file is at most a mebibyte.
            guard counts.allSatisfy({ $0 <= 1 << 20 }) else { return nil }
            (utc, standard, leaps) = (counts[0], counts[1], counts[2])
            (times, types, characters) = (counts[3], counts[4], counts[5])
        }

        /// Returns the size of the data, with times of `time` bytes.
        func size(of time: Int) -> Int {
            times * (time + 1) + types * 6 + characters + leaps * (time + 4) + standard + utc
        }
    }
}

extension [UInt8] {
    /// Returns a big-endian number; one of 8 bytes is signed.
    fileprivate func bigEndian(_ count: Int, at index: Int) -> Int64 {
        self[index..<index + count].reduce(0) { $0 << 8 | Int64($1) }
    }
}
