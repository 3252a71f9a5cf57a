internal import Foundation

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

    /// Reads lines in the order of the log.
    package init(_ lines: [Substring]) {
        for line in lines {
            guard let (key, n) = Self.parse(line) else {
                if !line.contains("[WARNING] dropped") { torn.append(line) }
                continue
            }
            found[key, default: 0] += 1
            let last = reached[key] ?? 0
            if n == last + 1 {
                reached[key] = n
            } else if n <= last {
                doubled += 1
            } else {
                misplaced += 1
                leftOut[String(key.prefix { $0 != "/" }), default: 0] += n - last - 1
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

    /// `[time] [INFO] r=R t=T n=N check\=C`, complete and correct, with the logger's name where it has one. A line that
    /// begins with `[time]` itself was made of a message, in which nothing is escaped.
    private static func parse(_ line: Substring) -> (key: String, n: UInt64)? {
        guard line.hasPrefix("["), let body = line.range(of: "] [INFO] ") else { return nil }
        let fields = line[body.upperBound...].split(separator: " ")
        let last = line.hasPrefix("[time]") ? "check=" : "check\\="
        guard fields.count == 4 || fields.count == 5 && fields[4].hasPrefix("logger=t"),
            let round = value(fields[0], "r="), let thread = value(fields[1], "t="),
            let n = value(fields[2], "n=").flatMap({ UInt64($0) }), let check = value(fields[3], last),
            let number = UInt64(thread), check == "\((n &* 2_654_435_761) ^ number)"
        else { return nil }
        return ("\(round)/\(thread)", n)
    }

    private static func value(_ field: Substring, _ name: String) -> Substring? {
        field.hasPrefix(name) ? field.dropFirst(name.count) : nil
    }
}
