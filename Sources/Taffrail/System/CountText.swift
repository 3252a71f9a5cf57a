/// Numbers of things in messages: `1 record`, `2 records`.
package enum CountText {
    /// Returns a number with its noun, which gets an `s` unless the number is 1.
    package static func text(_ count: some BinaryInteger, _ noun: String) -> String { text(count, noun, noun + "s") }

    /// Returns a number with the words for one thing, or for any other number of them.
    package static func text(_ count: some BinaryInteger, _ one: String, _ other: String) -> String {
        "\(count) \(count == 1 ? one : other)"
    }
}
