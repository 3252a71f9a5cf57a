/// A number and its unit, as written by users: `1.5 GiB`, `30s`.
enum Amount {
    /// Parses and removes a number and its unit at the start of `rest`; a space may be between them.
    ///
    /// - Returns: The number times the unit's size, rounded down. `nil` if there is no number, if `units` does not have
    ///   the unit, and on overflow.
    static func parse(first rest: inout Substring, _ units: [(name: String, size: Int)]) -> Int? {
        let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty else { return nil }
        let fraction = parts.count > 1 ? parts[1] : ""
        guard parts.count == 1 || !fraction.isEmpty, fraction.count <= 9, let digits = Int(String(whole + fraction))
        else { return nil }
        rest = rest[number.endIndex...].drop { $0 == " " }
        let letters = rest.prefix { $0.isLetter }
        rest = rest[letters.endIndex...]
        guard let unit = units.first(where: { $0.name == letters })?.size else { return nil }
        guard !fraction.isEmpty else {
            let (product, overflow) = digits.multipliedReportingOverflow(by: unit)
            return overflow ? nil : product
        }
        let divisor = fraction.reduce(1) { divisor, _ in divisor * 10 }
        let product = digits.multipliedFullWidth(by: unit)
        return product.high < divisor / 2 ? divisor.dividingFullWidth(product).quotient : nil
    }
}
