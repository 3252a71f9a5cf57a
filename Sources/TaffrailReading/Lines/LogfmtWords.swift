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
        var index = 0
        while index < line.count {
            if line[index] == 0x20 {
                index += 1
                continue
            }
            guard let word = Self.word(line, &index) else {
                self.words = nil
                return
            }
            words.append(word)
        }
        self.words = words
    }

    /// Parses `key=value` or `key="value"`.
    private static func word(_ line: UnsafeRawBufferPointer, _ index: inout Int) -> Word? {
        guard let key = text(line, &index, until: UInt8(ascii: "=")), !key.text.isEmpty || key.isQuoted,
            index < line.count, line[index] == UInt8(ascii: "=")
        else { return nil }
        index += 1
        guard let value = text(line, &index, until: 0x20) else { return nil }
        return Word(key: key.text, value: value.text, isQuoted: value.isQuoted)
    }

    /// Returns a key or a value without its quotes.
    static func unquoted(_ part: UnsafeRawBufferPointer) -> (text: String, isQuoted: Bool) {
        var index = 0
        if part.first == UInt8(ascii: "\""), let text = text(part, &index, until: 0x20) { return text }
        return (String(decoding: part, as: UTF8.self), false)
    }

    private static func text(
        _ line: UnsafeRawBufferPointer, _ index: inout Int, until end: UInt8
    ) -> (text: String, isQuoted: Bool)? {
        let start = index
        guard index < line.count, line[index] == UInt8(ascii: "\"") else {
            while index < line.count, line[index] != end, line[index] != 0x20, line[index] != UInt8(ascii: "\"") {
                index += 1
            }
            // A list or a map contains quotes and no spaces.
            if index < line.count, line[index] == UInt8(ascii: "\""), end == 0x20,
                line[start] == UInt8(ascii: "[") || line[start] == UInt8(ascii: "{")
            {
                return bracketed(line, &index, start)
            }
            if index < line.count, line[index] == UInt8(ascii: "\"") { return nil }
            return (String(decoding: line[start..<index], as: UTF8.self), false)
        }
        index += 1
        var bytes: [UInt8] = []
        while index < line.count {
            let byte = line[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return (String(decoding: bytes, as: UTF8.self), true) }
            if byte == UInt8(ascii: "\\") { unescape(line, &index, to: &bytes) } else { bytes.append(byte) }
        }
        return nil
    }

    /// Returns `[1,"a b"]` or `{"k":"v"}`, unchanged.
    private static func bracketed(
        _ line: UnsafeRawBufferPointer, _ index: inout Int, _ start: Int
    ) -> (text: String, isQuoted: Bool)? {
        index = start
        var isInQuotes = false
        while index < line.count, isInQuotes || line[index] != 0x20 {
            if line[index] == UInt8(ascii: "\\"), isInQuotes {
                index += 1
            } else if line[index] == UInt8(ascii: "\"") {
                isInQuotes.toggle()
            }
            index += 1
        }
        guard index <= line.count, !isInQuotes else { return nil }
        return (String(decoding: line[start..<index], as: UTF8.self), false)
    }

    private static func unescape(_ line: UnsafeRawBufferPointer, _ index: inout Int, to bytes: inout [UInt8]) {
        guard index < line.count else { return bytes.append(UInt8(ascii: "\\")) }
        let byte = line[index]
        index += 1
        switch byte {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            let isBraced = index < line.count && line[index] == UInt8(ascii: "{")
            var end = index + (isBraced ? 1 : 0)
            let start = end
            while end < line.count, end - start < (isBraced ? 6 : 4), line[end] != UInt8(ascii: "}") { end += 1 }
            let digits = String(decoding: line[start..<end], as: UTF8.self)
            guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
                bytes += [UInt8(ascii: "\\"), byte]
                return
            }
            bytes += String(scalar).utf8
            index = end + (isBraced ? 1 : 0)
        default: bytes.append(byte)
        }
    }
}
