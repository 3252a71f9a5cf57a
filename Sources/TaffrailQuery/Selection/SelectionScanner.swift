/// Reads the parts of a selection's text, scalar by scalar: a combining mark never joins a quote.
struct SelectionScanner {
    /// A word, whether it was in quotes, and whether a `*` followed.
    struct Word {
        var text: String
        var isQuoted: Bool
        var hasStar: Bool
        var column: Int
    }

    private let scalars: [Unicode.Scalar]
    private(set) var position = 0

    init(_ text: some StringProtocol) { scalars = Array(text.unicodeScalars) }

    var column: Int { position + 1 }
    var count: Int { scalars.count }
    var isAtEnd: Bool { position >= scalars.count }
    var current: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }

    mutating func skipSpaces() { while let scalar = current, scalar.isSelectionSpace { position += 1 } }

    /// Skips the next scalar if it is the given one.
    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    /// Reads the name and the operator of a test such as `status>=`; returns `nil`, and reads nothing, if there is
    /// none.
    mutating func name() throws(SelectionError) -> (name: String, isMarked: Bool, operator: String)? {
        let start = position
        let isMarked = skip("@")
        let name: String
        if isMarked, current == "\"" {
            name = try quoted()
        } else {
            guard let first = current, first == "_" || first.properties.isAlphabetic else {
                position = start
                return nil
            }
            var text = String.UnicodeScalarView()
            while let scalar = current, scalar.isSelectionName {
                text.append(scalar)
                position += 1
            }
            name = String(text)
        }
        guard let mark = comparison(), !name.isEmpty else {
            position = start
            return nil
        }
        return (name, isMarked, mark)
    }

    private mutating func comparison() -> String? {
        for mark in [">=", "<=", "!=", ":", "=", "<", ">", "~"] {
            let end = position + mark.unicodeScalars.count
            guard end <= scalars.count, scalars[position..<end].elementsEqual(mark.unicodeScalars) else { continue }
            position = end
            return mark
        }
        return nil
    }

    /// Reads the next word: in quotes, or up to a space, a quote or one of the stops.
    mutating func word(stoppingAt stop: Unicode.Scalar? = nil) throws(SelectionError) -> Word {
        let column = column
        if current == "\"" {
            let text = try quoted()
            let hasStar = skip("*")
            return Word(text: text, isQuoted: true, hasStar: hasStar, column: column)
        }
        var text = String.UnicodeScalarView()
        while let scalar = current, !scalar.isSelectionSpace, scalar != "\"", scalar != stop {
            text.append(scalar)
            position += 1
        }
        let hasStar = text.last == "*"
        if hasStar { text.removeLast() }
        return Word(text: String(text), isQuoted: false, hasStar: hasStar, column: column)
    }

    /// Requires a space or the end.
    func expectEnd() throws(SelectionError) {
        if let scalar = current, !scalar.isSelectionSpace {
            throw SelectionError(column, "expected a space before \(String(scalar).debugDescription)")
        }
    }

    private mutating func quoted() throws(SelectionError) -> String {
        let start = column
        position += 1
        var text = String.UnicodeScalarView()
        while let scalar = current {
            position += 1
            switch scalar {
            case "\"": return String(text)
            case "\\": text.append(try escaped())
            default: text.append(scalar)
            }
        }
        throw SelectionError(start, "the quote is not closed")
    }

    private mutating func escaped() throws(SelectionError) -> Unicode.Scalar {
        let scalar = current
        position += 1
        switch scalar {
        case "\"": return "\""
        case "\\": return "\\"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        default: throw SelectionError(position - 1, "expected \", \\, n, r or t after \\")
        }
    }
}

extension Unicode.Scalar {
    /// Whether it separates conditions.
    var isSelectionSpace: Bool { properties.isWhitespace }

    /// Whether it may be part of a name that is not in quotes.
    var isSelectionName: Bool {
        switch self {
        case "_", ".", "-", "/": true
        default: properties.isAlphabetic || properties.numericType != nil
        }
    }
}
