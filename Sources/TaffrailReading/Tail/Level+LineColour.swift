internal import Taffrail

extension Level {
    /// The SGR sequence (ECMA-48) for a text line of this level; `nil` for the levels of most lines. The sink `console`
    /// colours only the word of the level, so it has a colour for each.
    var lineColour: String? {
        switch self {
        case .trace, .debug: "\u{1b}[2m"
        case .info, .notice: nil
        case .warning: "\u{1b}[33m"
        case .error: "\u{1b}[31m"
        case .critical: "\u{1b}[1;31m"
        }
    }
}
