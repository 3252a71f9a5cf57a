/// The graphics that a terminal supports.
enum TerminalGraphics: String, Sendable, CaseIterable {
    /// None: characters only.
    case blocks
    /// Sixels.
    case sixel
    /// The terminal graphics protocol of kitty.
    case kitty

    /// The query sent to a terminal: whether it accepts a picture in kitty's protocol, and its device attributes, which
    /// every terminal reports.
    static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

    /// Parses a terminal's answer to ``question``; `nil` while it is incomplete.
    init?(answer: some Sequence<UInt8>) {
        let text = String(decoding: Array(answer), as: UTF8.self)
        guard let start = text.firstRange(of: "\u{1B}[?") else { return nil }
        let rest = text[start.upperBound...]
        guard let end = rest.firstIndex(of: "c") else { return nil }
        if text.contains("\u{1B}_Gi=31;OK") {
            self = .kitty
        } else {
            // The first number is the terminal's class, the others are its features; 4 is sixels.
            self = rest[..<end].split(separator: ";").dropFirst().contains("4") ? .sixel : .blocks
        }
    }
}
