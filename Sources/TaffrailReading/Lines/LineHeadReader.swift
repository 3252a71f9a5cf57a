internal import Taffrail
internal import TaffrailText

/// Parses the heads of lines: Taffrail's in any format, and those of other programs as far as possible.
package struct LineHeadReader {
    private var parser: TimestampParser
    private var json = JSONLineParser()

    package init() { self.init(zone: .local) }

    /// - Parameter zone: The time zone of times without an offset.
    init(zone: ZoneOffset) { parser = TimestampParser(zone: zone) }

    /// Parses a line's head.
    @inline(__always)
    package mutating func read(_ line: UnsafeRawBufferPointer) -> LineHead {
        guard let first = line.first else { return LineHead() }
        switch first {
        case UInt8(ascii: "["): return text(line)
        case UInt8(ascii: "{"): return object(line)
        default: return other(line)
        }
    }

    private mutating func text(_ line: UnsafeRawBufferPointer) -> LineHead {
        var head = LineHead()
        var index = 1
        guard let time = parser.read(line, &index), index + 4 < line.count else { return foreign(line) }
        guard line[index] == UInt8(ascii: "]"), line[index + 1] == UInt8(ascii: " "), line[index + 2] == first,
            let level = Self.label(line, index + 3)
        else { return foreign(line) }
        head.time = time
        head.shape = .text
        head.level = level.level
        head.body = level.end
        return head
    }

    private let first = UInt8(ascii: "[")

    /// Parses `INFO] ` and advances.
    @inline(__always)
    private static func label(_ line: UnsafeRawBufferPointer, _ start: Int) -> (level: Level, end: Int)? {
        var end = start
        while end < line.count, line[end] != UInt8(ascii: "]") {
            end += 1
            if end - start > 9 { return nil }
        }
        guard end < line.count, let level = word(UnsafeRawBufferPointer(rebasing: line[start..<end])) else {
            return nil
        }
        end += 1
        if end < line.count, line[end] == UInt8(ascii: " ") { end += 1 }
        return (level, end)
    }

    /// Returns the level named by an upper-case or lower-case word.
    static func word(_ word: UnsafeRawBufferPointer) -> Level? {
        guard let initial = word.first else { return nil }
        func matches(_ name: StaticString) -> Bool {
            guard name.utf8CodeUnitCount == word.count else { return false }
            for index in 0..<word.count where name.utf8Start[index] | 0x20 != word[index] | 0x20 { return false }
            return true
        }
        switch initial | 0x20 {
        case UInt8(ascii: "i"): return matches("info") || matches("information") ? .info : nil
        case UInt8(ascii: "d"): return matches("debug") ? .debug : nil
        case UInt8(ascii: "w"): return matches("warning") || matches("warn") ? .warning : nil
        case UInt8(ascii: "e"): return matches("error") || matches("err") ? .error : matches("emerg") ? .critical : nil
        case UInt8(ascii: "n"): return matches("notice") ? .notice : nil
        case UInt8(ascii: "t"): return matches("trace") ? .trace : nil
        case UInt8(ascii: "c"): return matches("critical") || matches("crit") ? .critical : nil
        case UInt8(ascii: "f"): return matches("fatal") ? .critical : nil
        case UInt8(ascii: "a"): return matches("alert") ? .critical : nil
        default: return nil
        }
    }

    /// Parses the head of a JSON line: Taffrail's lines start with time and level; other lines are parsed completely.
    private mutating func object(_ line: UnsafeRawBufferPointer) -> LineHead {
        var head = LineHead()
        var index = 9
        if Self.starts(line, with: "{\"time\":\""), let time = parser.read(line, &index) {
            let rest = UnsafeRawBufferPointer(rebasing: line[index...])
            if Self.starts(rest, with: "\",\"level\":\"") {
                let start = index + 11
                var end = start
                while end < line.count, line[end] != UInt8(ascii: "\"") { end += 1 }
                head.level = Self.word(UnsafeRawBufferPointer(rebasing: line[start..<end]))
                head.time = time
                head.shape = .json
                head.hasOtherKeys = !Self.endsWithRun(line)
                if head.level != nil { return head }
            }
        }
        guard let record = json.record(line) else { return foreign(line) }
        head.shape = .json
        head.hasOtherKeys = true
        head.time = record.hasTime ? record.record.timestamp.nanoseconds : nil
        head.level = record.hasLevel ? record.record.level : nil
        return head
    }

    /// Returns whether the last key is the run, as in a line written by a pipeline of Taffrail.
    private static func endsWithRun(_ line: UnsafeRawBufferPointer) -> Bool {
        // `"run":"`, 16 digits, `"}`
        line.count > 25 && line[line.count - 1] == UInt8(ascii: "}")
            && starts(UnsafeRawBufferPointer(rebasing: line[(line.count - 25)...]), with: "\"run\":\"")
    }

    private mutating func other(_ line: UnsafeRawBufferPointer) -> LineHead {
        for key in ["time=", "ts=", "t="] as [StaticString] where Self.starts(line, with: key) {
            var index = key.utf8CodeUnitCount
            if index < line.count, line[index] == UInt8(ascii: "\"") { index += 1 }
            guard let time = parser.read(line, &index) else { break }
            var head = LineHead()
            head.shape = .logfmt
            head.time = time
            head.level = Self.logfmtLevel(line, from: index)
            return head
        }
        if Self.starts(line, with: "level="), let words = LogfmtWords(line).words {
            var head = LineHead()
            head.shape = .logfmt
            head.level = words.first { $0.key == "level" }.flatMap { Level(name: $0.value) }
            head.time = words.first { ["time", "ts", "t"].contains($0.key) }.flatMap { time(of: $0.value) }
            return head
        }
        return foreign(line)
    }

    private mutating func time(of text: String) -> Int64? {
        var text = text
        return text.withUTF8 { bytes in
            var index = 0
            return parser.read(UnsafeRawBufferPointer(bytes), &index)
        }
    }

    private static func logfmtLevel(_ line: UnsafeRawBufferPointer, from index: Int) -> Level? {
        var index = index
        while index < line.count {
            let rest = UnsafeRawBufferPointer(rebasing: line[index...])
            for key in [" level=", " lvl="] as [StaticString] where starts(rest, with: key) {
                let start = index + key.utf8CodeUnitCount
                var end = start
                while end < line.count, line[end] | 0x20 >= UInt8(ascii: "a"), line[end] | 0x20 <= UInt8(ascii: "z") {
                    end += 1
                }
                return word(UnsafeRawBufferPointer(rebasing: line[start..<end]))
            }
            // A quoted string may contain anything.
            if rest[0] == UInt8(ascii: "\"") { return nil }
            index += 1
        }
        return nil
    }

    // MARK: Lines of other programs

    /// Parses the head of a line of another program: a time at its start and an upper-case level near it, if present.
    private mutating func foreign(_ line: UnsafeRawBufferPointer) -> LineHead {
        var head = LineHead()
        var index = 0
        while index < min(2, line.count), line[index] == first || line[index] == UInt8(ascii: "(") { index += 1 }
        head.time = parser.read(line, &index)
        let known = KnownLineFormat.find(in: line, zone: parser.zone)
        if head.time == nil { head.time = known?.time }
        head.level = known?.level ?? Self.capitalLevel(UnsafeRawBufferPointer(rebasing: line.prefix(160)))
        return head
    }

    private static func capitalLevel(_ line: UnsafeRawBufferPointer) -> Level? {
        var index = 0
        while index < line.count {
            let start = index
            while index < line.count, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(line[index]) { index += 1 }
            let isWhole = index == line.count || !isWordByte(line[index])
            if index - start >= 3, isWhole, let level = word(UnsafeRawBufferPointer(rebasing: line[start..<index])) {
                return level
            }
            while index < line.count, isWordByte(line[index]) { index += 1 }
            while index < line.count, !isWordByte(line[index]) { index += 1 }
        }
        return nil
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
            || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    @inline(__always)
    static func starts(_ line: UnsafeRawBufferPointer, with prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard line.count >= count else { return false }
        for index in 0..<count where line[index] != prefix.utf8Start[index] { return false }
        return true
    }
}
