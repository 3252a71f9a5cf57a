internal import Taffrail
internal import _StringProcessing

/// A regular expression, and the literal prefix of all its matches.
struct RedactionPattern {
    private let regex: Regex<AnyRegexOutput>
    /// A string that every match contains; `nil` if unknown. Searching for it takes a hundredth of the time of the
    /// expression.
    private let start: String?

    /// `nil` for an invalid regular expression.
    init?(_ text: String) {
        guard let regex = try? Regex(text) else { return nil }
        self.regex = regex.matchingSemantics(.unicodeScalar)
        start = Self.start(of: text)
    }

    /// Returns whether the expression must be run on a message.
    func mayMatch(_ record: borrowing RecordView) -> Bool { start.map { record.messageContains($0) } ?? true }

    /// Returns a string with every match replaced.
    func replacing(in text: String, with replacement: String) -> String {
        if let start, !text.utf8.contains(start.utf8) { return text }
        return text.replacing(regex) { _ in replacement }
    }

    /// Returns the literal characters at the start of an expression; `nil` if there are fewer than two.
    static func start(of expression: String) -> String? {
        let special: Set<Character> = ["\\", "^", "$", ".", "[", "]", "|", "(", ")", "*", "+", "?", "{", "}", "#"]
        guard !expression.contains("|"), !expression.hasPrefix("(?") else { return nil }
        var start = String(expression.prefix { !special.contains($0) })
        let next = expression.dropFirst(start.count).first
        // `ab*`: the last character belongs to the quantifier.
        if let next, "*?{".contains(next) { _ = start.popLast() }
        return start.utf8.count >= 2 ? start : nil
    }
}

extension String.UTF8View {
    /// Returns whether these bytes contain others.
    fileprivate func contains(_ other: String.UTF8View) -> Bool {
        guard let first = other.first else { return true }
        var rest = self[...]
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: other) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
