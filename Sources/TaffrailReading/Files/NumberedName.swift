internal import Taffrail

/// The name of a file rotated by logrotate: `app.log.1`, `app.log.2.gz`; higher numbers are older.
struct NumberedName {
    let base: String
    let number: Int
    let isCompressed: Bool
    let text: String

    /// Parses a name; `nil` for any other.
    init?(_ name: String) {
        text = name
        isCompressed = name.hasSuffix(".gz")
        let plain = isCompressed ? name.dropLast(3) : name[...]
        guard let point = plain.lastIndex(of: "."), point > plain.startIndex else { return nil }
        let digits = plain[plain.index(after: point)...]
        guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
            let number = Int(digits)
        else { return nil }
        self.number = number
        base = String(plain[..<point])
    }

    /// Returns the files of a log, oldest first.
    static func all(of log: LogPath) -> [NumberedName] {
        let names = ((try? Directory.entries(of: log.path)) ?? []).compactMap { NumberedName($0.name) }
        return names.filter { $0.base == log.base }.sorted { ($0.number, $0.text) > ($1.number, $1.text) }
    }
}
