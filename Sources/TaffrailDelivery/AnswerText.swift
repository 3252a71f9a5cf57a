/// The answer of a destination, in a form that may be printed and stored.
package enum AnswerText {
    /// The number of its characters that are kept.
    package static let limit = 200

    /// Returns a string on one line of bounded length, without characters that could change the appearance of the
    /// surrounding output.
    ///
    /// - Parameter secrets: The strings to replace wherever they occur, unless they are too short to be secrets.
    package static func line(_ text: String, without secrets: [String] = []) -> String {
        // More than is kept, so that no secret is cut in two.
        var line = String(text.unicodeScalars.prefix(1 << 14).map { isPlain($0) ? Character($0) : " " })
        for secret in Set(secrets).sorted(by: { $0.utf8.count > $1.utf8.count }) where secret.utf8.count >= 4 {
            line = line.replacing(secret, with: "(secret)")
        }
        return String(line.prefix(limit))
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
