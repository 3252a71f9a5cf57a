package import Taffrail
internal import TaffrailText

extension LogLiteral {
    /// A literal as a number.
    package enum Number: Sendable {
        case int(Int64)
        case double(Double)

        package var double: Double {
            switch self {
            case .int(let number): Double(number)
            case .double(let number): number
            }
        }
    }

    /// Parses a number; `nil` for other strings.
    package static func number(_ text: String) -> Number? {
        if let number = Int64(text) { return .int(number) }
        return DecimalText.double(text).map(Number.double)
    }

    /// The literal as a number; `nil` for a string.
    package var number: Number? { isQuoted ? nil : Self.number(text) }

    /// Returns whether a value equals the literal.
    func equals(_ value: LogValue) -> Bool {
        switch value {
        case .string(let other): return other.utf8.elementsEqual(text.utf8)
        case .int(let other):
            switch number {
            case .int(let number)?: return number == other
            case .double(let number)?: return number == Double(other)
            case nil: return false
            }
        case .double(let other): return number.map { $0.double == other } ?? false
        case .bool(let other): return !isQuoted && text == (other ? "true" : "false")
        case .bytes, .date: return value.description.utf8.elementsEqual(text.utf8)
        case .array(let elements): return elements.contains { equals($0) }
        case .map: return false
        }
    }

    /// Compares a value with the literal: as numbers if the literal is a number, otherwise as strings.
    func compares(_ comparison: LogComparison, _ value: LogValue) -> Bool {
        if comparison == .different { return !equals(value) }
        if comparison == .equal { return equals(value) }
        switch value {
        case .int(let other):
            switch number {
            case .int(let number)?: return comparison.holds(other, number)
            case .double(let number)?: return comparison.holds(Double(other), number)
            case nil: return false
            }
        case .double(let other): return number.map { comparison.holds(other, $0.double) } ?? false
        case .string(let other):
            guard let number else { return comparison.holds(ExactText(other), ExactText(text)) }
            return Self.number(other).map { comparison.holds($0.double, number.double) } ?? false
        case .bytes, .date: return comparison.holds(ExactText(value.description), ExactText(text))
        case .bool, .array, .map: return false
        }
    }
}

extension LogAttributeTest {
    /// Returns whether a value passes. A list passes if its text or one of its elements does.
    package func matches(_ value: LogValue) -> Bool {
        switch self {
        case .exists: true
        case .equals(let literals): literals.contains { $0.equals(value) }
        case .compares(let comparison, let literal): literal.compares(comparison, value)
        case .contains(let text): FoldedSearch(text).isFound(in: value.description)
        }
    }
}
