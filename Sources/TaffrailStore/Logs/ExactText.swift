#if Store
/// A string that equals only strings with the same bytes, as in SQLite; `String` treats two encodings of an accent as
/// equal.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
#endif
