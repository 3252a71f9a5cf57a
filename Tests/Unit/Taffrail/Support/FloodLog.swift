import Foundation
import Glibc
import Testing

/// Compares the log of rounds of the test subject's flood with what it acknowledged.
struct FloodLog {
    /// Lines that are not what a round's thread wrote: torn, mixed, foreign.
    private(set) var torn: [Substring] = []
    /// Lines that are there more than once.
    private(set) var doubled = 0
    /// Lines that come before an earlier one of their thread, or leave one out.
    private(set) var misplaced = 0
    /// How many numbers of each round lines leave out on their way: only what was dropped may be missing there.
    private(set) var leftOut: [String: UInt64] = [:]
    /// How many lines of each thread of each round there are.
    private var found: [String: UInt64] = [:]
    /// How far each thread of each round came in the log.
    private(set) var reached: [String: UInt64] = [:]

    /// Reads lines in the order of the log.
    init(_ lines: [Substring]) {
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
    func found(round: String) -> UInt64 { (0..<4).reduce(0) { $0 + (found["\(round)/\($1)"] ?? 0) } }

    /// Acknowledged records that are not in the log.
    func lost(acknowledged: [String: UInt64]) -> UInt64 {
        acknowledged.reduce(0) { lost, entry in
            let reached = reached[entry.key] ?? 0
            return lost + (entry.value > reached ? entry.value - reached : 0)
        }
    }

    /// `[time] [INFO] r=R t=T n=N check=C`, complete and correct.
    private static func parse(_ line: Substring) -> (key: String, n: UInt64)? {
        guard line.hasPrefix("["), let body = line.range(of: "] [INFO] ") else { return nil }
        let fields = line[body.upperBound...].split(separator: " ")
        guard fields.count == 4, let round = value(fields[0], "r="), let thread = value(fields[1], "t="),
            let n = value(fields[2], "n=").flatMap({ UInt64($0) }), let check = value(fields[3], "check="),
            let number = UInt64(thread), check == "\((n &* 2_654_435_761) ^ number)"
        else { return nil }
        return ("\(round)/\(thread)", n)
    }

    private static func value(_ field: Substring, _ name: String) -> Substring? {
        field.hasPrefix(name) ? field.dropFirst(name.count) : nil
    }
}

/// The page in which the subject's threads count the calls that returned.
final class AcknowledgedPage {
    let path: String
    private let round: String

    init(in directory: TemporaryDirectory, round: String) throws {
        path = directory.path + "/.page-" + round
        self.round = round
        try Data(count: 4096).write(to: URL(fileURLWithPath: path))
    }

    /// By `round/thread`.
    var counts: [String: UInt64] {
        guard let data = FileManager.default.contents(atPath: path), data.count == 4096 else { return [:] }
        var counts: [String: UInt64] = [:]
        for thread in 0..<4 {
            counts["\(round)/\(thread)"] = data.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: 64 * thread, as: UInt64.self)
            }
        }
        return counts
    }

    private var total: UInt64 { counts.values.reduce(0, +) }

    /// Waits until the first call has returned.
    ///
    /// - Throws: When that is not so after half a minute.
    func waitForFirst() throws {
        for _ in 0..<30_000 where total == 0 { poll(nil, 0, 1) }
        try #require(total > 0, "the subject logs nothing")
    }

    /// Waits until so many calls more have returned than now, or until none returns any more: with a full disk, calls
    /// wait for room.
    func wait(for more: UInt64) {
        let goal = total + more
        var (last, looks) = (total, 0)
        while last < goal && looks < 10 {
            poll(nil, 0, 1)
            let now = total
            looks = now == last ? looks + 1 : 0
            last = now
        }
    }
}
