internal import Taffrail

/// The part of a text line after the level: the message and the attributes.
struct TextLineBody {
    let message: String
    /// The attributes, event, trace and logger, in the order of the line.
    let words: [LogfmtWords.Word]

    /// Parses a body, from its end.
    init(_ body: UnsafeRawBufferPointer) {
        var words: [LogfmtWords.Word] = []
        // The message, then a space and a word for each attribute; without a message, the first word has no space.
        var text = body
        var last = AttributeWord(endOf: text)
        while let word = last, !word.isEscaped {
            words.append(LogfmtWords.Word(word, in: text))
            text = UnsafeRawBufferPointer(rebasing: text[..<max(0, word.start - 1)])
            last = AttributeWord(endOf: text)
        }
        self.words = words.reversed()
        guard let last else {
            message = String(decoding: text, as: UTF8.self)
            return
        }
        var bytes = Array(text)
        bytes.remove(at: last.keyEnd)
        message = String(decoding: bytes, as: UTF8.self)
    }
}

extension LogfmtWords.Word {
    /// The word at the end of a line's text.
    fileprivate init(_ word: AttributeWord, in text: UnsafeRawBufferPointer) {
        let key = LogfmtWords.unquoted(UnsafeRawBufferPointer(rebasing: text[word.start..<word.keyEnd]))
        let value = LogfmtWords.unquoted(UnsafeRawBufferPointer(rebasing: text[word.valueStart...]))
        self.init(key: key.text, value: value.text, isQuoted: value.isQuoted)
    }
}

extension AttributeWord {
    /// Whether the word belongs to the message; the backslash at `keyEnd` must then be removed.
    fileprivate var isEscaped: Bool { keyEnd + 1 < valueStart }
}
