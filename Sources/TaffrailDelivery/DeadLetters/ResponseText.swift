internal import Taffrail

/// The response of a destination in a form that may be printed and stored.
package enum ResponseText {
    /// The maximum number of characters to keep.
    package static let limit = 200

    /// Returns a string on one line of bounded length, without characters that could change the appearance of the
    /// surrounding output.
    ///
    /// - Parameter secrets: The strings to replace wherever they occur, unless they are too short to be secrets.
    package static func line(_ text: String, without secrets: [String] = []) -> String {
        // More than is kept, so that no secret is cut in two.
        let start = text.unicodeScalars.prefix(1 << 14)
        var line = String(start.map { EscapedText.mustBeEscaped($0.value) ? " " : Character($0) })
        for secret in Set(secrets).sorted(by: { $0.utf8.count > $1.utf8.count }) where secret.utf8.count >= 4 {
            line = line.replacing(secret, with: "(secret)")
        }
        return String(line.prefix(limit))
    }
}
