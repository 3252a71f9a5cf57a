/// A line of the ledger: a checksum, a letter, fields, and a name at the end.
///
/// | letter | meaning | fields |
/// |---|---|---|
/// | `d` | records are missing | run, time, reason, first and last number, count, levels (`info=3,error=1`), sink |
/// | `e` | a run has ended | run, begin, end, records, the log's sink, base name of the log; a line for each log of the directory |
/// | `l` | a running program writes another log, or one less | run, time, first number, `in` or `out`, base name of the log |
/// | `r` | a file is removed on purpose | run, time, `retention` or `cleared`, first and last number, file name |
///
/// Checksum, numbers, runs, times and `-` are as in ``IndexEntry``.
package enum LedgerEntry: Equatable {
    case drop(Ledger.Drop)
    case end(Ledger.Ending)
    case log(Ledger.LogChange)
    case removal(Ledger.Removal)

    /// The run that it describes.
    var run: RingID {
        switch self {
        case .drop(let drop): drop.run
        case .end(let ending): ending.run
        case .log(let change): change.run
        case .removal(let removal): removal.run
        }
    }

    /// The line, with its newline.
    var text: String {
        func line(_ letter: String, _ time: Timestamp, _ fields: String, _ name: String) -> String {
            CheckedLine.text("\(letter) \(run) \(time.nanoseconds) \(fields) \(Self.oneLine(name))")
        }
        func text(_ number: UInt64?) -> String { number.map { "\($0)" } ?? "-" }
        switch self {
        case .drop(let drop):
            let numbers = text(drop.sequences?.lowerBound) + " " + text(drop.sequences?.upperBound)
            var levels = ""
            for level in Level.allCases {
                if let count = drop.levels[level] { levels += "\(levels.isEmpty ? "" : ",")\(level.name)=\(count)" }
            }
            let counts = "\(drop.count) \(levels.isEmpty ? "-" : levels)"
            return line("d", drop.time, "\(drop.reason.rawValue) \(numbers) \(counts)", drop.sink)
        case .end(let end):
            let fields = "\(end.endedAt.nanoseconds) \(end.records) \(Self.word(end.sink))"
            return line("e", end.startedAt, fields, end.destination)
        case .log(let change):
            return line("l", change.time, "\(change.from) \(change.isWritten ? "in" : "out")", change.log)
        case .removal(let removal):
            let fields = "\(removal.reason.rawValue) \(text(removal.first)) \(text(removal.last))"
            return line("r", removal.time, fields, removal.file)
        }
    }

    /// Parses a line, without its newline; `nil` if it is invalid.
    init?(bytes: UnsafeRawBufferPointer) {
        guard var fields = CheckedLine(bytes), let letter = fields.letter(), let run = fields.run(),
            let nanoseconds = fields.signed()
        else { return nil }
        let time = Timestamp(nanoseconds: nanoseconds)
        switch letter {
        case UInt8(ascii: "d"):
            let (reason, first, last) = (DropReason(rawValue: fields.word()), fields.unsigned(), fields.unsigned())
            guard let reason, let count = fields.unsigned(), let levels = Self.levels(fields.word()),
                let sink = fields.lastField()
            else { return nil }
            var sequences: ClosedRange<UInt64>?
            if let first, let last, first <= last { sequences = first...last }
            self = .drop(
                Ledger.Drop(
                    run: run, time: time, reason: reason, sink: sink, sequences: sequences, count: count,
                    levels: levels))
        case UInt8(ascii: "e"):
            guard let end = fields.signed(), let records = fields.unsigned() else { return nil }
            let sink = fields.word()
            guard let destination = fields.lastField() else { return nil }
            self = .end(
                Ledger.Ending(
                    run: run, startedAt: time, endedAt: Timestamp(nanoseconds: end), records: records,
                    sink: sink == "-" ? "" : sink, destination: destination))
        case UInt8(ascii: "l"):
            let (from, change) = (fields.unsigned(), fields.word())
            guard let from, change == "in" || change == "out", let log = fields.lastField() else { return nil }
            self = .log(
                Ledger.LogChange(
                    run: run, time: time, from: from, isWritten: change == "in", log: log))
        case UInt8(ascii: "r"):
            guard let reason = Ledger.Removal.Reason(rawValue: fields.word()) else { return nil }
            let (first, last) = (fields.unsigned(), fields.unsigned())
            guard let file = fields.lastField() else { return nil }
            self = .removal(
                Ledger.Removal(
                    run: run, time: time, reason: reason, first: first, last: last, file: file))
        default: return nil
        }
    }

    private static func levels(_ text: String) -> [Level: UInt64]? {
        var levels: [Level: UInt64] = [:]
        if text == "-" { return levels }
        for pair in text.split(separator: ",") {
            let parts = pair.split(separator: "=").map { String($0) }
            guard parts.count == 2, let level = Level(name: parts[0]), let count = Decimal.value(parts[1]) else {
                return nil
            }
            levels[level] = count
        }
        return levels
    }

    /// Returns a name without spaces, for the middle of a line; `-` for none.
    package static func word(_ name: String) -> String {
        let words = oneLine(name).split(separator: " ", omittingEmptySubsequences: false)
        return name.isEmpty ? "-" : words.joined(separator: "_")
    }

    /// Returns a name with question marks for control characters: a name that a file system allows may contain any
    /// character except `/`.
    private static func oneLine(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 < 0x20 }) else { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value < 0x20 ? "?" : $0 }))
    }
}
