/// The graphics that a terminal can show.
enum TerminalGraphics: String, Sendable, CaseIterable {
    /// None: it has characters alone.
    case blocks
    /// Sixels.
    case sixel
    /// The terminal graphics protocol of kitty.
    case kitty

    /// What asks a terminal for it: whether it takes a picture of kitty's protocol, and what kind of terminal it is, which
    /// every terminal answers.
    static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

    /// Reads a terminal's answer to ``question``; `nil`: it is not whole yet.
    init?(answer: some Sequence<UInt8>) {
        let text = String(decoding: Array(answer), as: UTF8.self)
        guard let start = text.firstRange(of: "\u{1B}[?") else { return nil }
        let rest = text[start.upperBound...]
        guard let end = rest.firstIndex(of: "c") else { return nil }
        if text.contains("\u{1B}_Gi=31;OK") {
            self = .kitty
        } else {
            // The first number is the terminal's class, the others are what it can do; 4 is sixels.
            self = rest[..<end].split(separator: ";").dropFirst().contains("4") ? .sixel : .blocks
        }
    }
}
