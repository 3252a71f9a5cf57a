/// The `key=value` words of a line, with quotes removed.
struct LogfmtWords {
    /// One word.
    struct Word {
        let key: String
        let value: String
        let isQuoted: Bool
    }

    /// The words; `nil` if the line contains anything else.
    let words: [Word]?

    /// Parses a whole line.
    init(_ line: UnsafeRawBufferPointer) {
        var words: [Word] = []
        var place = 0
        while place < line.count {
            if line[place] == 0x20 {
                place += 1
                continue
            }
            guard let word = Self.word(line, &place) else {
                self.words = nil
                return
            }
            words.append(word)
        }
        self.words = words
    }

    /// Parses `key=value` or `key="value"`.
    private static func word(_ line: UnsafeRawBufferPointer, _ place: inout Int) -> Word? {
        guard let key = text(line, &place, until: UInt8(ascii: "=")), !key.text.isEmpty || key.isQuoted,
            place < line.count, line[place] == UInt8(ascii: "=")
        else { return nil }
        place += 1
        guard let value = text(line, &place, until: 0x20) else { return nil }
        return Word(key: key.text, value: value.text, isQuoted: value.isQuoted)
    }

    /// Returns a key or a value without its quotes.
    static func unquoted(_ part: UnsafeRawBufferPointer) -> (text: String, isQuoted: Bool) {
        var place = 0
        if part.first == UInt8(ascii: "\""), let text = text(part, &place, until: 0x20) { return text }
        return (String(decoding: part, as: UTF8.self), false)
    }

    private static func text(
        _ line: UnsafeRawBufferPointer, _ place: inout Int, until end: UInt8
    ) -> (text: String, isQuoted: Bool)? {
        let start = place
        guard place < line.count, line[place] == UInt8(ascii: "\"") else {
            while place < line.count, line[place] != end, line[place] != 0x20, line[place] != UInt8(ascii: "\"") {
                place += 1
            }
            // A list or a map contains quotes and no spaces.
            if place < line.count, line[place] == UInt8(ascii: "\""), end == 0x20,
                line[start] == UInt8(ascii: "[") || line[start] == UInt8(ascii: "{")
            {
                return bracketed(line, &place, start)
            }
            if place < line.count, line[place] == UInt8(ascii: "\"") { return nil }
            return (String(decoding: line[start..<place], as: UTF8.self), false)
        }
        place += 1
        var bytes: [UInt8] = []
        while place < line.count {
            let byte = line[place]
            place += 1
            if byte == UInt8(ascii: "\"") { return (String(decoding: bytes, as: UTF8.self), true) }
            if byte == UInt8(ascii: "\\") { unescape(line, &place, to: &bytes) } else { bytes.append(byte) }
        }
        return nil
    }

    /// Returns `[1,"a b"]` or `{"k":"v"}`, unchanged.
    private static func bracketed(
        _ line: UnsafeRawBufferPointer, _ place: inout Int, _ start: Int
    ) -> (text: String, isQuoted: Bool)? {
        place = start
        var isInQuotes = false
        while place < line.count, isInQuotes || line[place] != 0x20 {
            if line[place] == UInt8(ascii: "\\"), isInQuotes {
                place += 1
            } else if line[place] == UInt8(ascii: "\"") {
                isInQuotes.toggle()
            }
            place += 1
        }
        guard place <= line.count, !isInQuotes else { return nil }
        return (String(decoding: line[start..<place], as: UTF8.self), false)
    }

    private static func unescape(_ line: UnsafeRawBufferPointer, _ place: inout Int, to bytes: inout [UInt8]) {
        guard place < line.count else { return bytes.append(UInt8(ascii: "\\")) }
        let byte = line[place]
        place += 1
        switch byte {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            let isBraced = place < line.count && line[place] == UInt8(ascii: "{")
            var end = place + (isBraced ? 1 : 0)
            let start = end
            while end < line.count, end - start < (isBraced ? 6 : 4), line[end] != UInt8(ascii: "}") { end += 1 }
            let digits = String(decoding: line[start..<end], as: UTF8.self)
            guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
                bytes += [UInt8(ascii: "\\"), byte]
                return
            }
            bytes += String(scalar).utf8
            place = end + (isBraced ? 1 : 0)
        default: bytes.append(byte)
        }
    }
}
