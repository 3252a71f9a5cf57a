internal import Taffrail
internal import TaffrailText

/// The fields of a form or a query: `name=value&name=value`, percent-encoded.
package struct FormFields: Sendable {
    /// The fields, in order; a field without `=` has an empty value.
    package let all: [(name: String, value: String)]

    /// The maximum number of fields.
    static let limit = 256

    /// Parses a form.
    ///
    /// - Returns: `nil` if it is not UTF-8, is not encoded correctly, or has more than 256 fields.
    package init?(_ bytes: [UInt8]) {
        var fields: [(name: String, value: String)] = []
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count < Self.limit, let name = PercentText.decoded(parts[0], plusIsSpace: true),
                let value = parts.count == 1 ? "" : PercentText.decoded(parts[1], plusIsSpace: true)
            else { return nil }
            fields.append((name, value))
        }
        all = fields
    }

    /// Returns the first value of a field.
    package func first(_ names: String...) -> String? { all.first { names.contains($0.name) }?.value }
}
