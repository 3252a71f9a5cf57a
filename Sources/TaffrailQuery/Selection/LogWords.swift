/// The words of a string: runs of letters and digits, in lower case. An index by words divides strings in the same way.
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

    /// Returns whether a list of words contains others consecutively, compared byte by byte.
    ///
    /// - Parameter isPrefix: Whether the last word may continue.
    package static func contains(_ phrase: [String], in words: [String], isPrefix: Bool) -> Bool {
        guard let last = phrase.last, words.count >= phrase.count else { return false }
        let head = phrase.dropLast()
        for start in 0...words.count - phrase.count {
            guard zip(words[start...], head).allSatisfy({ $0.utf8.elementsEqual($1.utf8) }) else { continue }
            let word = words[start + head.count].utf8
            if isPrefix ? word.starts(with: last.utf8) : word.elementsEqual(last.utf8) { return true }
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
