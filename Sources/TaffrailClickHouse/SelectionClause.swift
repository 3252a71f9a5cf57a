#if HTTP
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery

/// The conditions of a selection as SQL, except for the time range.
///
/// All selected rows pass. If ``isExact`` is false, others may pass too: test them with
/// ``TaffrailQuery/LogSelection/matches(_:)``.
struct SelectionClause {
    /// Conditions that must all hold.
    private(set) var conditions: [String] = []
    /// Whether all rows that pass are selected.
    private(set) var isExact = true

    private let columns: RecordColumns
    /// Whether ClickHouse parses numbers as exactly as this program.
    private let readsExactly: Bool

    /// - Parameter readsExactly: Whether queries use the setting `precise_float_parsing`.
    init(_ selection: LogSelection, _ columns: RecordColumns, readsExactly: Bool) {
        self.columns = columns
        self.readsExactly = readsExactly
        for condition in selection.conditions {
            switch condition.test {
            // Part of the time range, negated or not.
            case .since, .until: continue
            default: break
            }
            let test = clause(condition.test)
            isExact = isExact && test.isExact
            if !condition.isNegated {
                conditions.append(test.sql)
            } else if test.isExact {
                conditions.append("NOT (\(test.sql))")
            }
        }
        conditions.removeAll { $0 == "1" }
    }

    private typealias Clause = (sql: String, isExact: Bool)

    private func clause(_ test: LogTest) -> Clause {
        switch test {
        case .since, .until: return ("1", false)
        case .level, .levels:
            let levels = Level.allCases.filter { test.matches($0) }.map { "tf_level = \($0.rawValue)" }
            return (SQLText.anyOf(levels), true)
        case .logger(let names):
            let wanted = names.map {
                "ScopeName = \(SQLText.string($0)) OR startsWith(ScopeName, \(SQLText.string($0 + ".")))"
            }
            return (SQLText.anyOf(wanted), true)
        case .exactLogger(let names): return (SQLText.anyOf(names.map { "ScopeName = \(SQLText.string($0))" }), true)
        case .device(let names): return (Self.names(names, "tf_device"), true)
        case .event(let names): return (Self.names(names, "tf_event"), true)
        case .run(let run): return ("tf_run = \(SQLText.string(run))", true)
        case .trace(let trace): return ("TraceId = '\(trace)' AND match(SpanId, '^([0-9a-f]{16})?$')", true)
        case .span(let span):
            let spans = span == TraceContext.SpanID(0) ? "('\(span)', '')" : "('\(span)')"
            return ("SpanId IN \(spans) AND match(TraceId, '^[0-9a-f]{32}$')", true)
        case .message(let text): return (Self.contains(text, in: "Body"), true)
        case .text(let text, _): return Self.words(text)
        case .box(let box): return (Self.isPlaced(in: box), true)
        // SQL tests only the box around the circle.
        case .near(let center, let radius):
            return (Self.isPlaced(in: CoordinateBox(around: center, radius: radius)), false)
        case .attribute(let key, let test):
            let value = clause(test, columns.value(key))
            return ("(\(columns.exists(key))) AND (\(value.sql))", value.isExact)
        }
    }

    private static func names(_ names: [LogName], _ column: String) -> String {
        SQLText.anyOf(
            names.map { name in
                let text = SQLText.string(name.text)
                return name.isPrefix ? "startsWith(\(column), \(text))" : "\(column) = \(text)"
            })
    }

    /// Returns the condition that a string contains another one, ignoring the case of ASCII letters.
    private static func contains(_ text: String, in column: String) -> String {
        text.isEmpty ? "1" : "positionCaseInsensitive(\(column), \(SQLText.string(text))) > 0"
    }

    private static func isPlaced(in box: CoordinateBox) -> String {
        let (south, north) = (box.southWest.latitude, box.northEast.latitude)
        let (west, east) = (box.southWest.longitude, box.northEast.longitude)
        let bounds = [south, max(south, north), west, east].map(SQLText.double)
        return """
            tf_placed AND ifNull(tf_lat >= \(bounds[0]) AND tf_lat <= \(bounds[1]) AND \
            (tf_lon >= \(bounds[2]) \(west <= east ? "AND" : "OR") tf_lon <= \(bounds[3])), 0)
            """
    }

    // MARK: Words

    /// SQL tests only the ASCII parts of the words, not that they are consecutive.
    private static func words(_ text: String) -> Clause {
        let words = LogWords.of(text)
        guard !words.isEmpty else {
            return (SQLText.anyOf(["Body", "tf_event"].map { contains(text, in: $0) }), true)
        }
        let parts = Set(words.flatMap { $0.split { !$0.isASCII }.map(String.init) }).sorted()
        guard !parts.isEmpty else { return ("1", false) }
        let found = ["Body", "tf_event"].map { column in SQLText.allOf(parts.map { part($0, in: column) }) }
        return (SQLText.anyOf(found), false)
    }

    /// Returns the condition that a string may contain an ASCII part of a word.
    private static func part(_ part: String, in column: String) -> String {
        var wanted = [contains(part, in: column)]
        // The lower case of two other letters contains an ASCII letter: KELVIN SIGN, and I WITH DOT ABOVE.
        for (letter, other) in [("k", "\u{212A}"), ("i", "\u{130}")] where part.contains(letter) {
            wanted.append("position(\(column), \(SQLText.string(other))) > 0")
        }
        return SQLText.anyOf(wanted)
    }

    // MARK: Attributes

    private func clause(_ test: LogAttributeTest, _ value: String) -> Clause {
        switch test {
        case .exists: return ("1", true)
        case .equals(let literals):
            return (SQLText.anyOf(literals.map { "\(value) = \(SQLText.string($0.text))" }), true)
        case .contains(let text): return (Self.contains(text, in: value), true)
        case .compares(.different, let literal): return ("\(value) != \(SQLText.string(literal.text))", true)
        case .compares(.equal, let literal): return ("\(value) = \(SQLText.string(literal.text))", true)
        case .compares(let comparison, let literal):
            guard let number = literal.number else {
                return ("\(value) \(comparison.rawValue) \(SQLText.string(literal.text))", true)
            }
            let syntax = "match(\(value), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$')"
            guard readsExactly else { return (syntax, false) }
            let read = "toFloat64OrNull(\(value))"
            return (
                "\(syntax) AND ifNull(isFinite(\(read)) AND \(read) \(comparison.rawValue) \(SQLText.double(number.double)), 0)",
                true
            )
        }
    }
}
#endif
