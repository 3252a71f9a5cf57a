#if Store
internal import Taffrail

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

/// A value that equals others with the same bytes only.
struct ExactValue: Hashable {
    let value: LogValue

    init(_ value: LogValue) { self.value = value }

    static func == (left: ExactValue, right: ExactValue) -> Bool {
        switch (left.value, right.value) {
        case (.string(let left), .string(let right)): ExactText(left) == ExactText(right)
        default: left.value == right.value
        }
    }

    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
#endif
