#if Store
internal import Taffrail
internal import TaffrailText

/// A value that equals only values with the same bytes.
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
