extension SwiftFile {
    /// The names in the code of a file, outside strings.
    struct Names {
        /// Names that may be types of the module: capitalized, and not after a dot.
        var types: Set<String> = []
        /// All names.
        var words: Set<String> = []
        /// Names of types with the name of a member: `Type.member`.
        var qualified: Set<String> = []

        mutating func formUnion(_ other: Names) {
            types.formUnion(other.types)
            words.formUnion(other.words)
            qualified.formUnion(other.qualified)
        }
    }

    /// The names in its code. Those in the interpolations of strings are among them.
    var names: Names {
        var scanner = NameScanner(code)
        return scanner.scan()
    }
}

/// Finds the names in code without comments.
private struct NameScanner {
    /// A string that is being read.
    private struct Text {
        let isMultiline: Bool
        /// The number of open parentheses in an interpolation; 0 outside.
        var depth = 0
    }

    private let bytes: [UInt8]
    private var index = 0
    /// The strings around the index, the innermost last.
    private var texts: [Text] = []
    private var names = SwiftFile.Names()

    init(_ code: String) { bytes = Array(code.utf8) }

    mutating func scan() -> SwiftFile.Names {
        while index < bytes.count {
            let byte = bytes[index]
            if let text = texts.last, text.depth == 0 {
                skip(byte, in: text)
            } else if byte == UInt8(ascii: "\"") {
                open()
            } else if Self.isWord(byte) {
                takeWord()
            } else {
                if let last = texts.indices.last {
                    if byte == UInt8(ascii: "(") { texts[last].depth += 1 }
                    if byte == UInt8(ascii: ")") { texts[last].depth -= 1 }
                }
                if byte == UInt8(ascii: "\n") { texts.removeAll { !$0.isMultiline } }
                index += 1
            }
        }
        return names
    }

    private func isQuote(at start: Int) -> Bool { bytes[start...].starts(with: Array("\"\"\"".utf8)) }

    private mutating func open() {
        let isMultiline = isQuote(at: index)
        texts.append(Text(isMultiline: isMultiline))
        index += isMultiline ? 3 : 1
    }

    /// Skips a byte within a string.
    private mutating func skip(_ byte: UInt8, in text: Text) {
        switch byte {
        case UInt8(ascii: "\\"):
            if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "(") { texts[texts.count - 1].depth = 1 }
            index += 2
        case UInt8(ascii: "\"") where !text.isMultiline || isQuote(at: index):
            texts.removeLast()
            index += text.isMultiline ? 3 : 1
        case UInt8(ascii: "\n"):
            // A quotation mark that began no string, such as one in a regular expression.
            texts.removeAll { !$0.isMultiline }
            index += 1
        default: index += 1
        }
    }

    private mutating func takeWord() {
        let isMember = index > 0 && bytes[index - 1] == UInt8(ascii: ".")
        let word = next()
        names.words.insert(word)
        guard !isMember, word.utf8.first.map({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) == true else {
            return
        }
        names.types.insert(word)
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), Self.isWord(bytes[index + 1]) else { return }
        index += 1
        let member = next()
        names.words.insert(member)
        names.qualified.insert("\(word).\(member)")
    }

    private mutating func next() -> String {
        let start = index
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
