internal import Taffrail
internal import TaffrailText

/// Parses the heads of lines: Taffrail's in any format, and those of other programs as far as possible.
package struct LineHeadReader {
    private var moment: TimestampParser
    private var json = JSONLineParser()

    package init() { self.init(zone: .local) }

    /// - Parameter zone: The time zone of times without an offset.
    init(zone: ZoneOffset) { moment = TimestampParser(zone: zone) }

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
        var place = 1
        guard let time = moment.read(line, &place), place + 4 < line.count else { return foreign(line) }
        guard line[place] == UInt8(ascii: "]"), line[place + 1] == UInt8(ascii: " "), line[place + 2] == first,
            let level = Self.label(line, place + 3)
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
        func says(_ name: StaticString) -> Bool {
            guard name.utf8CodeUnitCount == word.count else { return false }
            for place in 0..<word.count where name.utf8Start[place] | 0x20 != word[place] | 0x20 { return false }
            return true
        }
        switch initial | 0x20 {
        case UInt8(ascii: "i"): return says("info") || says("information") ? .info : nil
        case UInt8(ascii: "d"): return says("debug") ? .debug : nil
        case UInt8(ascii: "w"): return says("warning") || says("warn") ? .warning : nil
        case UInt8(ascii: "e"): return says("error") || says("err") ? .error : says("emerg") ? .critical : nil
        case UInt8(ascii: "n"): return says("notice") ? .notice : nil
        case UInt8(ascii: "t"): return says("trace") ? .trace : nil
        case UInt8(ascii: "c"): return says("critical") || says("crit") ? .critical : nil
        case UInt8(ascii: "f"): return says("fatal") ? .critical : nil
        case UInt8(ascii: "a"): return says("alert") ? .critical : nil
        default: return nil
        }
    }

    /// Returns a JSON line: Taffrail's has time and level in front; of others the whole line is parsed.
    private mutating func object(_ line: UnsafeRawBufferPointer) -> LineHead {
        var head = LineHead()
        var place = 9
        if Self.starts(line, with: "{\"time\":\""), let time = moment.read(line, &place) {
            let rest = UnsafeRawBufferPointer(rebasing: line[place...])
            if Self.starts(rest, with: "\",\"level\":\"") {
                let start = place + 11
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

    /// Returns whether the last key is the run, as in a line that a pipeline of ours has written.
    private static func endsWithRun(_ line: UnsafeRawBufferPointer) -> Bool {
        // `"run":"`, 16 digits, `"}`
        line.count > 25 && line[line.count - 1] == UInt8(ascii: "}")
            && starts(UnsafeRawBufferPointer(rebasing: line[(line.count - 25)...]), with: "\"run\":\"")
    }

    private mutating func other(_ line: UnsafeRawBufferPointer) -> LineHead {
        for key in ["time=", "ts=", "t="] as [StaticString] where Self.starts(line, with: key) {
            var place = key.utf8CodeUnitCount
            if place < line.count, line[place] == UInt8(ascii: "\"") { place += 1 }
            guard let time = moment.read(line, &place) else { break }
            var head = LineHead()
            head.shape = .logfmt
            head.time = time
            head.level = Self.logfmtLevel(line, from: place)
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
            var place = 0
            return moment.read(UnsafeRawBufferPointer(bytes), &place)
        }
    }

    private static func logfmtLevel(_ line: UnsafeRawBufferPointer, from place: Int) -> Level? {
        var place = place
        while place < line.count {
            let rest = UnsafeRawBufferPointer(rebasing: line[place...])
            for key in [" level=", " lvl="] as [StaticString] where starts(rest, with: key) {
                let start = place + key.utf8CodeUnitCount
                var end = start
                while end < line.count, line[end] | 0x20 >= UInt8(ascii: "a"), line[end] | 0x20 <= UInt8(ascii: "z") {
                    end += 1
                }
                return word(UnsafeRawBufferPointer(rebasing: line[start..<end]))
            }
            // A quoted string may contain anything.
            if rest[0] == UInt8(ascii: "\"") { return nil }
            place += 1
        }
        return nil
    }

    // MARK: Lines of other programs

    /// Returns a line of another program: a time at its start and an upper-case level near it, if present.
    private mutating func foreign(_ line: UnsafeRawBufferPointer) -> LineHead {
        var head = LineHead()
        var place = 0
        while place < min(2, line.count), line[place] == first || line[place] == UInt8(ascii: "(") { place += 1 }
        head.time = moment.read(line, &place)
        let known = KnownLineFormat.find(in: line, zone: moment.zone)
        if head.time == nil { head.time = known?.time }
        head.level = known?.level ?? Self.capitalLevel(UnsafeRawBufferPointer(rebasing: line.prefix(160)))
        return head
    }

    private static func capitalLevel(_ line: UnsafeRawBufferPointer) -> Level? {
        var place = 0
        while place < line.count {
            let start = place
            while place < line.count, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(line[place]) { place += 1 }
            let isWhole = place == line.count || !isWordByte(line[place])
            if place - start >= 3, isWhole, let level = word(UnsafeRawBufferPointer(rebasing: line[start..<place])) {
                return level
            }
            while place < line.count, isWordByte(line[place]) { place += 1 }
            while place < line.count, !isWordByte(line[place]) { place += 1 }
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
        for place in 0..<count where line[place] != prefix.utf8Start[place] { return false }
        return true
    }
}
