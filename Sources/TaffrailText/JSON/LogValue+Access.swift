package import Taffrail

/// The contents of values of a certain type, as of members of a JSON object.
extension LogValue {
    /// The string.
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The Boolean value.
    package var flag: Bool? { if case .bool(let isTrue) = self { isTrue } else { nil } }

    /// The integer; `nil` for any other number.
    package var integer: Int64? { if case .int(let number) = self { number } else { nil } }

    /// The number as a Double, whether integer or not.
    package var number: Double? {
        switch self {
        case .double(let number): number
        case .int(let number): Double(number)
        default: nil
        }
    }

    /// The number, also if it is an integer; `nil` for NaN and the infinities.
    package var finite: Double? { if let number, number.isFinite { number } else { nil } }

    /// The number, if it is a whole number.
    package var whole: Int? {
        switch self {
        case .int(let number): Int(exactly: number)
        case .double(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The elements of the list.
    package var elements: [LogValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members of the map.
    package var entries: [LogValueEntry]? { if case .map(let entries) = self { entries } else { nil } }

    /// The first member named `key`; `nil` if there is none, or if the value is not a map.
    package subscript(key: String) -> LogValue? { entries?.first { $0.key == key }?.value }
}
