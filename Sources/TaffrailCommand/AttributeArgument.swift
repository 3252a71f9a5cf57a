#if Command
internal import Taffrail

/// Parses attributes on a command line.
enum AttributeArgument {
    /// Parses `key=value`. Integers, decimal numbers, `true` and `false` that print the same become values of their
    /// types; everything else is a string.
    static func entry(_ word: String) -> LogValueEntry? {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
        return LogValueEntry(String(word[..<equals]), value(String(word[word.index(after: equals)...])))
    }

    private static func value(_ text: String) -> LogValue {
        if let number = Int64(text), "\(number)" == text { return .int(number) }
        if let number = Double(text), number.isFinite, "\(number)" == text { return .double(number) }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return .string(text)
        }
    }
}
#endif
