/// A number and its unit, as written by users: `1.5 GiB`, `30s`.
struct Amount {
    /// The digits without the point.
    private let digits: Int
    /// 10 to the power of the number of digits after the point.
    private let divisor: Int
    /// The letters after the number and an optional space; may be empty.
    let unit: String

    /// Parses and removes a number and its unit at the start of `rest`; `nil` if there is none.
    init?(first rest: inout Substring) {
        let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty else { return nil }
        let fraction = parts.count > 1 ? parts[1] : ""
        guard parts.count == 1 || !fraction.isEmpty, fraction.count <= 9, let digits = Int(String(whole + fraction))
        else { return nil }
        self.digits = digits
        divisor = fraction.reduce(1) { divisor, _ in divisor * 10 }
        rest = rest[number.endIndex...].drop { $0 == " " }
        let letters = rest.prefix { $0.isLetter }
        unit = String(letters)
        rest = rest[letters.endIndex...]
    }

    /// Returns the number times `unit`, rounded down; `nil` on overflow.
    func scaled(by unit: Int) -> Int? {
        if divisor == 1 {
            let (product, overflow) = digits.multipliedReportingOverflow(by: unit)
            return overflow ? nil : product
        }
        let product = digits.multipliedFullWidth(by: unit)
        return product.high < divisor / 2 ? divisor.dividingFullWidth(product).quotient : nil
    }
}
