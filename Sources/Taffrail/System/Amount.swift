/// A number and its unit, as written by users: `1.5 GiB`, `30s`.
enum Amount {
    /// Parses a number and its unit at `index`, and advances that to the rest; a space may be between them.
    ///
    /// - Returns: The number times the unit's size, rounded down. `nil` if there is no number, if `units` does not have
    ///   the unit, and on overflow.
    static func parse(_ text: [UInt8], at index: inout Int, _ units: [(name: String, size: Int)]) -> Int? {
        let start = index
        var digits = 0
        var point: Int?
        while index < text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            if digit < 10 {
                let (tens, isTooMuch) = digits.multipliedReportingOverflow(by: 10)
                let (sum, overflow) = tens.addingReportingOverflow(Int(digit))
                guard !isTooMuch, !overflow else { return nil }
                digits = sum
            } else if text[index] == UInt8(ascii: "."), point == nil {
                point = index
            } else {
                break
            }
            index += 1
        }
        let decimals = point.map { index - $0 - 1 }
        guard index > start, point != start, (1...9).contains(decimals ?? 1) else { return nil }
        while index < text.count, text[index] == UInt8(ascii: " ") { index += 1 }
        let name = index
        // A unit ends before a digit, a space or punctuation.
        while index < text.count, text[index] >= UInt8(ascii: "A") { index += 1 }
        let unit = String(decoding: text[name..<index], as: UTF8.self)
        guard let size = units.first(where: { $0.name == unit })?.size else { return nil }
        var divisor: Int128 = 1
        for _ in 0..<(decimals ?? 0) { divisor *= 10 }
        return Int(exactly: Int128(digits) * Int128(size) / divisor)
    }
}
