internal import Taffrail
internal import TaffrailText

/// The path and the query of a request.
package struct ServerTarget: Sendable {
    /// The path, decoded; it starts with a slash.
    package let path: String
    /// The parameters of the query, decoded, in order.
    package let query: [(name: String, value: String)]
    /// The target as it was sent.
    let text: String

    /// Parses a target.
    ///
    /// - Returns: `nil` unless it is an absolute path in UTF-8 without control characters, empty parts, `.` and `..`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.first == "/", let path = PercentText.decoded(parts[0].utf8),
            !path.utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "\\") })
        else { return nil }
        let names = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPlain = names.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
        // Encoded slashes are refused, because they would split a name in two.
        guard isPlain || path == "/", parts[0].utf8.count(where: { $0 == UInt8(ascii: "/") }) == names.count else {
            return nil
        }
        self.path = path
        self.text = String(text)
        guard parts.count == 2 else {
            query = []
            return
        }
        guard let fields = FormFields(Array(parts[1].utf8)) else { return nil }
        query = fields.all
    }

    /// Returns the first value of a parameter.
    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
