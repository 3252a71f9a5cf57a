#if Command
/// Strings of other programs and devices for a terminal.
enum TerminalText {
    /// Returns a string without characters that control a terminal or end a line.
    static func safe(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (32...126).contains($0) }
        if isPlain { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
#endif
