/// The words of a string: runs of letters and digits, in lower case. An index by words divides strings the same way.
package enum LogWords {
    /// Returns the words.
    package static func of(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.isPartOfWord(after: !word.isEmpty) {
                if scalar.isASCII {
                    word.append((65...90).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar)
                } else {
                    word.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
                }
            } else if !word.isEmpty {
                words.append(String(word))
                word = String.UnicodeScalarView()
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    /// Returns whether some words are consecutive among others.
    ///
    /// - Parameter isPrefix: Whether the last one may continue.
    package static func contains(_ phrase: [String], in words: [String], isPrefix: Bool) -> Bool {
        guard let last = phrase.last, words.count >= phrase.count else { return false }
        let head = phrase.dropLast()
        for start in 0...words.count - phrase.count {
            guard words[start..<start + head.count].elementsEqual(head) else { continue }
            let word = words[start + head.count]
            if isPrefix ? word.utf8.starts(with: last.utf8) : word == last { return true }
        }
        return false
    }
}

extension Unicode.Scalar {
    fileprivate func isPartOfWord(after isInWord: Bool) -> Bool {
        if isASCII { return (48...57).contains(value) || (65...90).contains(value) || (97...122).contains(value) }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            return true
        default: return isInWord && (768...817).contains(value)
        }
    }
}

/// Finds a part of a string, ignoring the case of ASCII letters.
package struct FoldedSearch: Sendable {
    private let needle: [UInt8]

    package init(_ text: String) { needle = text.utf8.map(Self.folded) }

    /// Returns whether UTF-8 contains it.
    package func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = needle.first else { return true }
        guard text.count >= needle.count else { return false }
        for start in 0...text.count - needle.count where Self.folded(text[start]) == first {
            var index = 1
            while index < needle.count, Self.folded(text[start + index]) == needle[index] { index += 1 }
            if index == needle.count { return true }
        }
        return false
    }

    /// Returns whether a string contains it.
    package func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { isFound(in: $0) }
    }

    @inline(__always)
    private static func folded(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }
}
