/// Numbers of things in messages: `1 record`, `2 records`.
package enum CountText {
    /// Returns a number with the words for one thing, or for any other number of them: by default with an `s`.
    package static func text(_ count: some BinaryInteger, _ one: String, _ other: String? = nil) -> String {
        "\(count) \(count == 1 ? one : other ?? one + "s")"
    }
}
