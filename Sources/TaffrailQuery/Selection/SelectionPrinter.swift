internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension LogSelection: CustomStringConvertible {
    /// The text that parses to the same selection.
    public var description: String { conditions.map(\.description).joined(separator: " ") }
}

extension LogCondition: CustomStringConvertible {
    /// The text of the condition.
    public var description: String { (isNegated ? "-" : "") + test.description }
}

extension LogTest: CustomStringConvertible {
    /// The text of the test.
    public var description: String {
        switch self {
        case .level(let comparison, let level):
            // `level=` is a list of one level.
            comparison == .equal ? "level:\(level.name)" : "level\(comparison.rawValue)\(level.name)"
        case .levels(let levels): "level:" + levels.map(\.name).joined(separator: ",")
        case .logger(let names): "logger:" + names.map { Self.word($0) }.joined(separator: ",")
        case .exactLogger(let names): "logger=" + names.map { Self.word($0) }.joined(separator: ",")
        case .device(let names): "device:" + names.map(Self.name).joined(separator: ",")
        case .event(let names): "event:" + names.map(Self.name).joined(separator: ",")
        case .since(let time): "since:" + RFC3339.string(time, decimals: 9)
        case .until(let time): "until:" + RFC3339.string(time, decimals: 9)
        case .near(let place, let radius): "near:\(place.latitude),\(place.longitude),\(radius)m"
        case .box(let box):
            "box:\(box.southWest.latitude),\(box.southWest.longitude),\(box.northEast.latitude),\(box.northEast.longitude)"
        case .text(let text, let isPrefix): Self.quoted(text) + (isPrefix ? "*" : "")
        case .message(let text): "message~" + Self.quoted(text)
        case .trace(let trace): "trace:\(trace)"
        case .span(let span): "span:\(span)"
        case .run(let run): "run:" + Self.word(run)
        case .attribute(let key, let test): Self.key(key) + Self.attribute(test)
        }
    }

    private static func attribute(_ test: LogAttributeTest) -> String {
        switch test {
        case .exists: ":*"
        case .equals(let literals): "=" + literals.map(literal).joined(separator: ",")
        // `=` also parses to a list of values.
        case .compares(let comparison, let value): comparison.rawValue + literal(value)
        case .contains(let text): "~" + quoted(text)
        }
    }

    private static func literal(_ literal: LogLiteral) -> String {
        literal.isQuoted ? quoted(literal.text) : word(literal.text)
    }

    private static func name(_ name: LogName) -> String { word(name.text) + (name.isPrefix ? "*" : "") }

    private static func word(_ text: String) -> String { text.isPlainInSelections ? text : quoted(text) }

    private static let reserved: Set = [
        "level", "logger", "device", "event", "since", "until", "near", "box", "message", "trace", "span", "run",
    ]

    private static func key(_ key: String) -> String {
        guard let first = key.unicodeScalars.first, first == "_" || first.properties.isAlphabetic,
            key.unicodeScalars.allSatisfy(\.isSelectionName)
        else { return "@" + quoted(key) }
        return (reserved.contains(key) ? "@" : "") + key
    }

    static func quoted(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        result.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result.append("\\")
                result.append(scalar)
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            default: result.append(scalar)
            }
        }
        result.append("\"")
        return String(result)
    }
}

extension String {
    /// Whether the string needs no quotes as a value of a selection.
    var isPlainInSelections: Bool {
        !isEmpty && unicodeScalars.last != "*"
            && unicodeScalars.allSatisfy { !$0.isSelectionSpace && $0 != "\"" && $0 != "," }
    }
}
