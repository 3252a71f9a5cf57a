/// A function, property or type of the core, with its text.
struct PathStep {
    /// A function's name with its first label, `write(at`; the name of a property or type; for an initializer, the
    /// type's.
    let name: String
    let file: String
    /// The names in the text of a function or property; none for a type.
    private let words: Set<String>
    /// The functions that it calls, with their first labels, and the types whose initializers or members it uses.
    let calls: Set<String>
    private let isCalled: Bool

    /// Finds a declaration, by a part of its first line.
    init?(_ declaration: String, in source: SwiftFile, file: String) {
        let lines = source.code.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.contains("\"") ? $0.replacing(/"(?:\\.|[^"\\])*"/, with: "\"\"") : $0 }
        guard let first = lines.firstIndex(where: { $0.contains(declaration) }) else { return nil }
        self.file = file
        let text: String
        if let type = declaration.firstMatch(of: /\b(?:enum|struct|class|protocol) (\w+)/) {
            (name, text) = (String(type.1), "")
            isCalled = false
        } else if let property = declaration.firstMatch(of: /\bvar (\w+)/) {
            (name, text) = (String(property.1), Self.text(lines[first...], after: property.0))
            isCalled = false
        } else if declaration.hasPrefix("init") {
            let column = lines[first].prefix { $0 == " " }.count
            let type = lines[..<first].reversed().lazy.filter { line in line.prefix { $0 == " " }.count < column }
                .compactMap { $0.firstMatch(of: /\b(?:struct|class|enum|extension) (\w+)/) }.first
            guard let type else { return nil }
            (name, text) = (String(type.1), Self.text(lines[first...], after: "init"))
            isCalled = true
        } else {
            guard let function = Self.functions(in: lines[first...].prefix(2)).first else { return nil }
            (name, text) = (function, Self.text(lines[first...], after: "func "))
            isCalled = true
        }
        words = Set(text.matches(of: /\w+/).map { String($0.output) })
        calls = Self.calls(in: text)
    }

    /// Returns the text of a declaration to the end of its braces, without its first words.
    private static func text(_ lines: ArraySlice<Substring>, after words: some StringProtocol) -> String {
        var text = ""
        var depth: Int?
        for line in lines {
            let rest = text.isEmpty ? line.firstRange(of: words).map { line[$0.upperBound...] } ?? line : line
            // The declared name is not a call.
            text += (text.isEmpty ? rest.replacing(/^`?\w+`?(?=[(<])/, with: "") : rest[...]) + "\n"
            for character in rest {
                if character == "{" { depth = (depth ?? 0) + 1 }
                if character == "}" { depth = (depth ?? 0) - 1 }
            }
            if depth == 0 { break }
        }
        return text
    }

    private static func calls(in text: String) -> Set<String> {
        let calls = text.matches(of: /(\w+)`?\(\s*(?:(\w+):)?/).map { String($0.1) + "(" + ($0.2 ?? "") }
        let types = text.matches(of: /(?:^|[^.\w])([A-Z]\w*)[(.]/).map { String($0.1) }
        return Set(calls.filter { $0.first?.isLowercase == true } + types)
    }

    /// Returns the functions declared in some lines, with their first labels.
    ///
    /// - Parameter hasPrivate: Whether to include private functions.
    static func functions(in lines: some Collection<Substring>, hasPrivate: Bool = true) -> [String] {
        zip(lines, lines.dropFirst()).compactMap { line, next in
            guard line.contains("func "), hasPrivate || !line.contains("private "),
                let function = "\(line)\n\(next)".firstMatch(of: /\bfunc `?(\w+)`?(?:<[^(]*>)?\(\s*(\w+)?/)
            else { return nil }
            return String(function.1) + "(" + (function.2.map { $0 == "_" ? "" : $0 } ?? "")
        }
    }

    /// Whether the step's text calls a function or initializer, or contains the name of a property or type.
    func calls(_ other: PathStep) -> Bool { (other.isCalled ? calls : words).contains(other.name) }
}
