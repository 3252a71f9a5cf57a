/// The entries of a ledger that has grown too long: the newest as they are, the older ones of each run added up.
///
/// A run that drops records for days adds an entry each second. The sums, which a check of the log requires, are kept:
/// without them missing records would count as lost for an unknown reason.
struct LedgerDigest: ~Copyable {
    private var entries: [LedgerEntry] = []
    /// The length of the entries that are kept one by one, in bytes.
    private var length = 0
    /// The indices of the sums in `entries`, by the common properties of what they add up.
    private var sums: [String: [Int]] = [:]

    /// The length up to which entries are kept one by one, in bytes.
    private static let wholeLength = LedgerFile.kept * 3 / 4

    /// Adds an entry, which is older than all added before.
    mutating func add(_ entry: LedgerEntry) {
        let size = entry.text.utf8.count
        if length + size <= Self.wholeLength {
            entries.append(entry)
            length += size
            return
        }
        switch entry {
        case .drop(let drop): add(drop)
        case .removal(let removal): add(removal)
        case .end, .log: entries.append(entry)
        }
    }

    private mutating func add(_ drop: Ledger.Drop) {
        let key = "\(drop.run) \(drop.reason.rawValue) \(drop.sequences != nil) \(drop.sink)"
        guard let index = sums[key]?.first, case .drop(var sum) = entries[index] else {
            sums[key] = [entries.count]
            return entries.append(.drop(drop))
        }
        sum.count &+= drop.count
        sum.levels.merge(drop.levels) { $0 &+ $1 }
        if let own = sum.sequences, let other = drop.sequences {
            sum.sequences = min(own.lowerBound, other.lowerBound)...max(own.upperBound, other.upperBound)
        }
        entries[index] = .drop(sum)
    }

    /// Adds removed numbers to those next to them. Between others there may be records that were not removed.
    private mutating func add(_ removal: Ledger.Removal) {
        let key = "\(removal.run) \(removal.reason.rawValue) \(Self.log(of: removal.file))"
        for index in sums[key] ?? [] {
            guard case .removal(var sum) = entries[index] else { continue }
            if sum.first == removal.first && sum.last == removal.last { return }
            guard let first = removal.first, let last = removal.last, let low = sum.first, let high = sum.last,
                first <= last, low <= high, first <= high || first - high == 1, low <= last || low - last == 1
            else { continue }
            sum.first = min(first, low)
            sum.last = max(last, high)
            entries[index] = .removal(sum)
            return
        }
        sums[key, default: []].append(entries.count)
        entries.append(.removal(removal))
    }

    /// Returns the name of a rotated file without the time and the number, which is the same for all files of a log.
    private static func log(of file: String) -> String {
        let pattern = Array("-00000000T000000.000Z-0000".utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var name = Array(file.utf8)
        var start = name.count - pattern.count
        while start >= 0 {
            let isMiddle = pattern.indices.allSatisfy { index in
                let byte = name[start + index]
                return digits.contains(pattern[index]) ? digits.contains(byte) : pattern[index] == byte
            }
            if isMiddle {
                name.removeSubrange(start..<start + pattern.count)
                return String(decoding: name, as: UTF8.self)
            }
            start -= 1
        }
        return file
    }

    /// Returns the entries, oldest first, each with its newline: as many of the newest as fit.
    func text(limit: Int) -> String {
        var kept: [String] = []
        var length = 0
        for text in entries.lazy.map(\.text) {
            length += text.utf8.count
            guard length <= limit else { break }
            kept.append(text)
        }
        return kept.reversed().joined()
    }
}
