/// The fields of a form or a query: `name=value&name=value`, percent-encoded.
package struct FormFields: Sendable {
    /// The fields, in order; a field without `=` has an empty value.
    package let all: [(name: String, value: String)]

    /// The most fields.
    static let limit = 256

    /// Parses a form.
    ///
    /// - Returns: `nil` if it is not UTF-8, is not encoded correctly, or has more than 256 fields.
    package init?(_ bytes: [UInt8]) {
        var fields: [(name: String, value: String)] = []
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count < Self.limit, let name = Self.decoded(parts[0], plusIsSpace: true),
                let value = parts.count == 1 ? "" : Self.decoded(parts[1], plusIsSpace: true)
            else { return nil }
            fields.append((name, value))
        }
        all = fields
    }

    /// Returns the first value of a field.
    package func first(_ names: String...) -> String? { all.first { names.contains($0.name) }?.value }

    /// Decodes `%XX`.
    ///
    /// - Returns: `nil` if a percent sign does not precede two digits, or the result is not UTF-8.
    static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    /// Returns the value of a hexadecimal digit.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
