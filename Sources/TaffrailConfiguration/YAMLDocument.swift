#if Configuration
internal import Yams

/// A YAML document as a tree of nodes with their locations.
enum YAMLDocument {
    /// Returns the root of the tree; `nil` for an empty document.
    ///
    /// - Throws: ``ConfigurationError`` with one problem.
    static func root(of text: String, file: String) throws(ConfigurationError) -> Node? {
        if let problem = YAMLRestrictions.problem(in: text, file: file) { throw ConfigurationError([problem]) }
        do {
            return try compose(yaml: text, .default, .default, .utf8)
        } catch {
            throw ConfigurationError([problem(error, in: text, file: file)])
        }
    }

    private static func problem(_ error: any Error, in text: String, file: String) -> ConfigurationProblem {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            if isTab(mark, in: text) {
                return ConfigurationProblem(
                    file: file, line: mark.line, column: mark.column,
                    message: "invalid YAML: a tab; indent with spaces")
            }
            let operation = context.map { "\($0.text), " } ?? ""
            return ConfigurationProblem(
                file: file, line: mark.line, column: mark.column, message: "invalid YAML: \(operation)\(problem)")
        case .reader(let problem, let offset, _, _):
            let before = text.prefix(offset ?? 0)
            let line = before.count { $0.isNewline } + 1
            let column = before.reversed().prefix { !$0.isNewline }.count + 1
            return ConfigurationProblem(file: file, line: line, column: column, message: "invalid YAML: \(problem)")
        case .duplicatedKeysInMapping(let names, let context):
            let list = names.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            let line = names.compactMap { again($0, in: text, from: context.mark) }.min() ?? context.mark.line
            return ConfigurationProblem(
                file: file, line: line, column: context.mark.column,
                message: "duplicate key in a mapping: \(list)")
        default:
            return ConfigurationProblem(file: file, line: 1, column: 1, message: "invalid YAML: \(error)")
        }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// Returns whether there is a tab at a location, or before it at the start of its line.
    private static func isTab(_ mark: Mark, in text: String) -> Bool {
        let lines = lines(of: text)
        guard mark.line >= 1, mark.line <= lines.count else { return false }
        let line = lines[mark.line - 1]
        return line.dropFirst(mark.column - 1).first == "\t"
            || line.prefix { $0 == " " || $0 == "\t" }.contains("\t")
    }

    /// Returns the line of the second occurrence of a key in a block mapping; `nil` for a mapping in braces.
    private static func again(_ key: String, in text: String, from start: Mark) -> Int? {
        var count = 0
        for (number, line) in lines(of: text).enumerated() {
            let indent = line.prefix { $0 == " " }.count
            guard number + 1 >= start.line, indent < line.count, line.dropFirst(indent).first != "#" else { continue }
            if number + 1 > start.line, indent + 1 < start.column { return nil }
            let rest = line.dropFirst(start.column - 1)
            for form in [key, "\"\(key)\"", "'\(key)'"] where rest.hasPrefix(form) {
                guard rest.dropFirst(form.count).drop(while: { $0 == " " }).first == ":" else { continue }
                count += 1
                if count == 2 { return number + 1 }
            }
        }
        return nil
    }
}

extension Node {
    /// The value of the node, for a message: `70000`, `"abc"`, `a list`.
    var phrase: String {
        switch self {
        case .scalar(let scalar):
            if isNothing { return "null" }
            let text = scalar.string
            let isBare = scalar.isPlain && (Double(text) != nil || text == "true" || text == "false")
            return isBare ? text : "\"\(text.prefix(60))\""
        case .mapping: return "a mapping"
        case .sequence: return "a list"
        case .alias: return "an alias"
        }
    }

    /// Whether the value is empty: `key:`, `key: ~` or `key: null`.
    var isNothing: Bool {
        guard case .scalar(let scalar) = self, scalar.isPlain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}

extension Node.Scalar {
    /// Whether it is unquoted, so that it may be a number, a Boolean or null.
    var isPlain: Bool { style == .plain || style == .any }
}
#endif
