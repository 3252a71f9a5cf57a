#if Store
/// A string that equals others with the same bytes only, as in SQLite: for `String`, accents that are written in two
/// ways are equal.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
#endif
