/// The times of a file's first and last line, read from the lines themselves.
struct LineTimes {
    /// Nanoseconds since 1970; `nil` where the line has no time that is understood.
    let first: Int64?
    let last: Int64?

    /// How much of each end is looked at, in bytes.
    private static let reach = 64 << 10

    init(_ file: borrowing FileDescriptor, size: Int64) throws(SystemError) {
        let head = try file.read(min(Self.reach, Int(size)), at: 0)
        first = Self.time(of: head.prefix { $0 != UInt8(ascii: "\n") })
        let tail = try file.read(min(Self.reach, Int(size)), at: max(0, size - Int64(Self.reach)))
        let ended = tail.last == UInt8(ascii: "\n") ? tail.dropLast() : tail[...]
        let start = ended.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? ended.startIndex
        last = Self.time(of: ended[start...])
    }

    /// The time in a line of text, JSON or logfmt. Local time is taken as that of the process's zone.
    static func time(of line: ArraySlice<UInt8>) -> Int64? {
        if line.first == UInt8(ascii: "[") { return moment(line.dropFirst(), zone: .local) }
        for prefix in ["{\"time\":\"", "time="] where line.starts(with: prefix.utf8) {
            return moment(line.dropFirst(prefix.utf8.count), zone: nil)
        }
        return moment(line, zone: .local)
    }

    /// Reads `yyyy-MM-dd HH:mm:ss` with a fraction and an offset.
    private static func moment(_ text: ArraySlice<UInt8>, zone: ZoneOffset?) -> Int64? {
        let bytes = Array(text.prefix(40))
        guard bytes.count >= 19, let year = number(bytes, 0, 4), let month = number(bytes, 5, 2),
            let day = number(bytes, 8, 2), let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2),
            let second = number(bytes, 17, 2), bytes[4] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":")
        else { return nil }
        let time = CivilTime(year: year, month: month, day: day, secondOfDay: hour * 3600 + minute * 60 + second)
        var place = 19
        var fraction: Int64 = 0
        var unit: Int64 = 100_000_000
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            place += 1
            while place < bytes.count, let digit = number(bytes, place, 1) {
                fraction += digit * unit
                unit /= 10
                place += 1
            }
        }
        var seconds = time.secondsSince1970
        if let zone {
            // The offset of the moment is found from the one a guess away; near a change of the clocks it may miss.
            seconds -= zone.seconds(seconds - zone.seconds(seconds))
        } else if place + 6 <= bytes.count, let hours = number(bytes, place + 1, 2),
            let minutes = number(bytes, place + 4, 2), bytes[place] != UInt8(ascii: "Z")
        {
            let offset = hours * 3600 + minutes * 60
            seconds -= bytes[place] == UInt8(ascii: "-") ? -offset : offset
        }
        return seconds * 1_000_000_000 + fraction
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int64? {
        guard start + count <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[start..<start + count] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value
    }
}
