#if Configuration
internal import Yams

/// Replaces `${NAME}` in the values of a document by environment variables. `$${` represents the characters `${`.
///
/// Variables are replaced in the tree, not in the text: each is a single value, whatever characters it contains.
struct YAMLVariables {
    let environment: [String: String]
    let file: String
    private(set) var problems: [ConfigurationProblem] = []

    init(_ environment: [String: String], file: String) {
        self.environment = environment
        self.file = file
    }

    /// Returns the tree with its variables replaced; keys are unchanged.
    mutating func expanded(_ node: Node) -> Node {
        switch node {
        case .scalar(var scalar):
            guard scalar.string.utf8.contains(UInt8(ascii: "$")) else { return node }
            scalar.string = expanded(scalar.string, at: scalar.mark)
            return .scalar(scalar)
        case .sequence(var sequence):
            for index in sequence.indices { sequence[index] = expanded(sequence[index]) }
            return .sequence(sequence)
        case .mapping(var mapping):
            for index in mapping.indices {
                let pair = mapping[index]
                mapping[index] = (key: pair.key, value: expanded(pair.value))
            }
            return .mapping(mapping)
        case .alias: return node
        }
    }

    private mutating func expanded(_ text: String, at mark: Mark?) -> String {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                result += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let value = value(of: &rest, at: mark) else {
                    result += "${"
                    rest = rest.dropFirst(2)
                    continue
                }
                result += value
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    /// Returns the value of the variable in braces at the start, which is consumed; `nil` if the braces contain no
    /// name.
    private mutating func value(of rest: inout Substring, at mark: Mark?) -> String? {
        let inner = rest.dropFirst(2)
        let name = inner.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard let first = name.first, !first.isNumber else { return nil }
        guard inner[name.endIndex...].first == "}" else {
            report("\"${\(name)\" must be ${NAME}; write $${ for a literal ${", at: mark)
            return nil
        }
        rest = inner[name.endIndex...].dropFirst()
        if let value = environment[String(name)] { return value }
        report("the environment variable \(name) is not set; write $${ for a literal ${", at: mark)
        return ""
    }

    private mutating func report(_ message: String, at mark: Mark?) {
        problems.append(
            ConfigurationProblem(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, message: message))
    }
}
#endif
