internal import Taffrail

/// A string that equals only strings with the same bytes, and is ordered by them; `String` treats two encodings of an
/// accent as equal.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isIdentical(to: right.text) }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
