#if Command
internal import Taffrail
internal import TaffrailReading

/// Parses attributes on a command line.
enum AttributeArgument {
    /// Parses `key=value`. Integers, decimal numbers, `true` and `false` that print the same become values of their
    /// types; everything else is a string.
    static func entry(_ word: String) -> LogValueEntry? {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
        return LogValueEntry(
            String(word[..<equals]), LogValue(text: String(word[word.index(after: equals)...])))
    }
}
#endif
