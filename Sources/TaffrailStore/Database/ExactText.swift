#if Store
/// A string that equals only strings with the same bytes, as in SQLite, and is ordered by them; `String` treats two
/// encodings of an accent as equal.
struct ExactText: Hashable, Comparable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

extension String {
    /// The string without NUL, which would end a string in the database.
    var storable: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
    }
}
#endif
