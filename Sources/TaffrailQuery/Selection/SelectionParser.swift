package import Taffrail
internal import TaffrailGeo
internal import TaffrailReading
internal import TaffrailText

extension LogSelection {
    /// The maximum length of a selection's text, in Unicode scalars.
    public static let longestText = 4_096
    /// The maximum number of conditions in a selection, and of alternatives in a condition.
    public static let mostConditions = 64

    /// Parses the text of a selection, such as `level>=warning logger:net "timeout"`.
    ///
    /// - Throws: ``SelectionError``, with the column of the first error.
    public init(parsing text: some StringProtocol) throws(SelectionError) {
        try self.init(parsing: text, zone: .local)
    }

    /// Parses the text of a selection.
    ///
    /// - Parameter zone: The time zone of times without one.
    package init(parsing text: some StringProtocol, zone: ZoneOffset) throws(SelectionError) {
        var parser = SelectionParser(SelectionScanner(text), zone)
        self.init(try parser.conditions())
    }
}

/// Parses conditions.
private struct SelectionParser {
    private var scanner: SelectionScanner

    private let zone: ZoneOffset

    init(_ scanner: SelectionScanner, _ zone: ZoneOffset) {
        self.scanner = scanner
        self.zone = zone
    }

    mutating func conditions() throws(SelectionError) -> [LogCondition] {
        guard scanner.count <= LogSelection.longestText else {
            throw SelectionError(LogSelection.longestText + 1, "the query is longer than \(LogSelection.longestText)")
        }
        var conditions: [LogCondition] = []
        while true {
            scanner.skipSpaces()
            guard !scanner.isAtEnd else { return conditions }
            guard conditions.count < LogSelection.mostConditions else {
                throw SelectionError(scanner.column, "there are more than \(LogSelection.mostConditions) conditions")
            }
            conditions.append(try condition())
            try scanner.expectEnd()
        }
    }

    private mutating func condition() throws(SelectionError) -> LogCondition {
        let isNegated = scanner.skip("-") || scanner.skip("!")
        let column = scanner.column
        guard let (name, isMarked, mark) = try scanner.name() else {
            if scanner.current == "@" {
                throw SelectionError(column, "expected the name of an attribute and = < > ~ or : after @")
            }
            return LogCondition(try text(), isNegated: isNegated)
        }
        var condition = try isMarked ? nil : builtIn(name, mark, column)
        if condition == nil { condition = LogCondition(.attribute(name, try attribute(name, mark))) }
        guard var condition else { throw SelectionError(column, "expected a condition") }
        if isNegated { condition.isNegated.toggle() }
        return condition
    }

    private mutating func text() throws(SelectionError) -> LogTest {
        let word = try scanner.word()
        guard !word.text.isEmpty else { throw SelectionError(word.column, "expected a word") }
        return .text(word.text, isPrefix: word.hasStar)
    }

    // MARK: What every record has

    /// Returns a condition about a field of every record; `nil` for the name of an attribute.
    private mutating func builtIn(_ name: String, _ mark: String, _ column: Int) throws(SelectionError) -> LogCondition?
    {
        func only(_ marks: [String]) throws(SelectionError) {
            guard !marks.contains(mark) else { return }
            throw SelectionError(
                column, "\(name) takes \(marks.joined(separator: " or ")); an attribute of this name is @\(name)")
        }
        switch name {
        case "level":
            guard mark != "~" else { throw SelectionError(column, "level takes : = != < <= > or >=") }
            if mark == ":" || mark == "=" { return LogCondition(try levels()) }
            let word = try value()
            return LogCondition(.level(LogComparison(rawValue: mark) ?? .equal, try level(word)))
        case "logger":
            try only([":", "=", "!="])
            let names = try strings()
            return mark == ":"
                ? LogCondition(.logger(names)) : LogCondition(.exactLogger(names), isNegated: mark == "!=")
        case "device", "event":
            try only([":", "=", "!="])
            let names = try self.names()
            return LogCondition(name == "device" ? .device(names) : .event(names), isNegated: mark == "!=")
        case "since", "until":
            try only([":", "="])
            let time = try self.time()
            return LogCondition(name == "since" ? .since(time) : .until(time))
        case "near":
            try only([":", "="])
            return LogCondition(try near())
        case "box":
            try only([":", "="])
            return LogCondition(try box())
        case "message":
            try only([":", "~"])
            return LogCondition(.message(try value().text))
        case "trace", "span", "run":
            try only([":", "=", "!="])
            return LogCondition(try identity(name), isNegated: mark == "!=")
        default: return nil
        }
    }

    private mutating func levels() throws(SelectionError) -> LogTest {
        var levels: [Level] = []
        for word in try list() { levels.append(try level(word)) }
        return .levels(levels)
    }

    private func level(_ word: SelectionScanner.Word) throws(SelectionError) -> Level {
        guard !word.hasStar, let level = Level(name: word.text) else {
            let names = Level.allCases.map(\.name).joined(separator: ", ")
            throw SelectionError(word.column, "\(word.text.debugDescription) is not a level; expected one of \(names)")
        }
        return level
    }

    private mutating func strings() throws(SelectionError) -> [String] {
        var strings: [String] = []
        for word in try list(allowsEmpty: true) {
            guard !word.hasStar else {
                throw SelectionError(word.column, "logger:net includes the loggers below it; it takes no *")
            }
            strings.append(word.text)
        }
        return strings
    }

    private mutating func names() throws(SelectionError) -> [LogName] {
        try list(allowsEmpty: true).map { LogName($0.text, isPrefix: $0.hasStar) }
    }

    private mutating func time() throws(SelectionError) -> Timestamp {
        let word = try value()
        guard !word.hasStar, let nanoseconds = TimeArgument.nanoseconds(word.text, zone: zone) else {
            throw SelectionError(
                word.column, "\(word.text.debugDescription) is not a time; expected \(TimeArgument.forms)")
        }
        return Timestamp(nanoseconds: nanoseconds)
    }

    private mutating func identity(_ name: String) throws(SelectionError) -> LogTest {
        let word = try value()
        switch name {
        case "trace": if let trace = TraceContext.TraceID(word.text) { return .trace(trace) }
        case "span": if let span = TraceContext.SpanID(word.text) { return .span(span) }
        default: return .run(word.text)
        }
        let digits = name == "trace" ? 32 : 16
        throw SelectionError(word.column, "\(name) takes \(digits) hexadecimal digits")
    }

    // MARK: Places

    private mutating func near() throws(SelectionError) -> LogTest {
        let form = "near takes latitude, longitude and radius, such as near:55.68,12.57,500m"
        let word = try value()
        let parts = word.text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let place = Coordinate(parts[0], parts[1]), let radius = Self.metres(parts[2])
        else {
            throw SelectionError(word.column, form)
        }
        return .near(place, radius: radius)
    }

    private mutating func box() throws(SelectionError) -> LogTest {
        let word = try value()
        guard let box = CoordinateBox(word.text) else {
            throw SelectionError(
                word.column, "box takes south, west, north and east in degrees, such as box:55.5,12.4,55.8,12.7")
        }
        return .box(box)
    }

    /// Parses a distance: `500m`, `2.5km`, or a number of metres.
    private static func metres(_ text: Substring) -> Double? {
        let isKilometres = text.hasSuffix("km")
        let digits = isKilometres ? text.dropLast(2) : text.hasSuffix("m") ? text.dropLast() : text
        guard let number = DecimalText.double(digits) else { return nil }
        let metres = isKilometres ? number * 1_000 : number
        return metres > 0 && metres <= 21_000_000 ? metres : nil
    }

    // MARK: Attributes

    private mutating func attribute(_ name: String, _ mark: String) throws(SelectionError) -> LogAttributeTest {
        switch mark {
        case "~": return .contains(try value().text)
        case ":", "=":
            let words = try list(allowsEmpty: true)
            if words.count == 1, words[0].text.isEmpty, words[0].hasStar, !words[0].isQuoted { return .exists }
            var literals: [LogLiteral] = []
            for word in words { literals.append(try literal(word, of: name)) }
            return .equals(literals)
        default:
            return .compares(LogComparison(rawValue: mark) ?? .equal, try literal(value(allowsEmpty: true), of: name))
        }
    }

    private func literal(_ word: SelectionScanner.Word, of name: String) throws(SelectionError) -> LogLiteral {
        guard !word.hasStar else {
            throw SelectionError(word.column, "a value takes no *; \(name)~\(word.text) finds a part of a string")
        }
        // A value that needs quotes is a string.
        return LogLiteral(word.text, isQuoted: word.isQuoted || !word.text.isPlainInSelections)
    }

    // MARK: Values

    /// Reads one value, which may contain commas.
    private mutating func value(allowsEmpty: Bool = false) throws(SelectionError) -> SelectionScanner.Word {
        var word = try scanner.word()
        guard word.isQuoted || !word.text.isEmpty || (allowsEmpty && word.hasStar) else {
            throw SelectionError(word.column, "expected a value")
        }
        if word.hasStar, !word.isQuoted {
            // In a value, a star has no special meaning.
            word.text += "*"
            word.hasStar = false
        }
        return word
    }

    /// Reads values separated by commas.
    private mutating func list(allowsEmpty: Bool = false) throws(SelectionError) -> [SelectionScanner.Word] {
        var words: [SelectionScanner.Word] = []
        repeat {
            let word = try scanner.word(stoppingAt: ",")
            guard word.isQuoted || !word.text.isEmpty || (allowsEmpty && word.hasStar) else {
                throw SelectionError(word.column, "expected a value")
            }
            words.append(word)
            guard words.count <= LogSelection.mostConditions else {
                throw SelectionError(word.column, "there are more than \(LogSelection.mostConditions) values")
            }
        } while scanner.skip(",")
        return words
    }
}
