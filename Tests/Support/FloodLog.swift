internal import Glibc

/// Compares the log of rounds of the test subject's flood with what it acknowledged.
package struct FloodLog {
    /// Lines that are not what a round's thread wrote: torn, mixed, foreign.
    package private(set) var torn: [Substring] = []
    /// Lines that are there more than once.
    package private(set) var doubled = 0
    /// Lines that come before an earlier one of their thread, or leave one out.
    package private(set) var misplaced = 0
    /// How many numbers of each round lines leave out on their way: only what was dropped may be missing there.
    package private(set) var leftOut: [String: UInt64] = [:]
    /// How many lines of each thread of each round there are.
    private var found: [String: UInt64] = [:]
    /// How far each thread of each round came in the log.
    package private(set) var reached: [String: UInt64] = [:]

    /// The round of the first line.
    package private(set) var oldestRound: String?

    /// Reads lines in the order of the log.
    ///
    /// - Parameter isWhole: Whether no line was deleted. Otherwise what threads of the first line's round lack before their
    ///   first line counts as deleted.
    package init(_ lines: [Substring], isWhole: Bool = true) {
        for line in lines {
            guard let (key, n) = Self.parse(line) else {
                if !line.contains("[WARNING] dropped") { torn.append(line) }
                continue
            }
            found[key, default: 0] += 1
            let round = String(key.prefix { $0 != "/" })
            if oldestRound == nil { oldestRound = round }
            let last = reached[key] ?? (isWhole || round != oldestRound ? 0 : n - 1)
            if n == last + 1 {
                reached[key] = n
            } else if n <= last {
                doubled += 1
            } else {
                misplaced += 1
                leftOut[round, default: 0] += n - last - 1
                reached[key] = n
            }
        }
    }

    /// How many lines of a round there are.
    package func found(round: String) -> UInt64 { (0..<4).reduce(0) { $0 + (found["\(round)/\($1)"] ?? 0) } }

    /// Acknowledged records that are not in the log.
    package func lost(acknowledged: [String: UInt64]) -> UInt64 {
        acknowledged.reduce(0) { lost, entry in
            let reached = reached[entry.key] ?? 0
            return lost + (entry.value > reached ? entry.value - reached : 0)
        }
    }

    /// `[time] [INFO] r=R t=T n=N check\\=C`, complete and correct, with the logger's name where it has one. A line that
    /// begins with `[time]` itself was made of a message, in which nothing is escaped.
    ///
    /// By bytes: the methods of strings took most of the time of the tests of kills.
    private static func parse(_ line: Substring) -> (key: String, n: UInt64)? {
        line.utf8.withContiguousStorageIfAvailable { parse(UnsafeRawBufferPointer($0)) } ?? nil
    }

    private static func parse(_ line: UnsafeRawBufferPointer) -> (key: String, n: UInt64)? {
        guard line.first == UInt8(ascii: "["), let start = line.baseAddress,
            let found = memchr(start, CInt(UInt8(ascii: "]")), line.count)
        else { return nil }
        let body = line[(UnsafeRawPointer(found) - start)...]
        guard body.starts(with: "] [INFO] ".utf8) else { return nil }
        let fields = body.dropFirst(9).split(separator: UInt8(ascii: " "))
        let last = line.starts(with: "[time]".utf8) ? "check=" : "check\\="
        guard fields.count == 4 || fields.count == 5 && fields[4].starts(with: "logger=t".utf8),
            let round = value(fields[0], "r="), let thread = value(fields[1], "t="), let number = Self.number(thread),
            let n = value(fields[2], "n=").flatMap(Self.number),
            value(fields[3], last).flatMap(Self.number) == (n &* 2_654_435_761) ^ number
        else { return nil }
        return (String(decoding: round, as: UTF8.self) + "/" + String(decoding: thread, as: UTF8.self), n)
    }

    private static func value(
        _ field: Slice<UnsafeRawBufferPointer>, _ name: String
    ) -> Slice<UnsafeRawBufferPointer>? {
        field.starts(with: name.utf8) ? field.dropFirst(name.utf8.count) : nil
    }

    /// A decimal number as it is printed.
    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(UInt64(digit &- UInt8(ascii: "0")))
            guard digit &- UInt8(ascii: "0") < 10, !isTooLarge, !overflows else { return nil }
            number = sum
        }
        return digits.isEmpty || digits.first == UInt8(ascii: "0") && digits.count > 1 ? nil : number
    }
}
