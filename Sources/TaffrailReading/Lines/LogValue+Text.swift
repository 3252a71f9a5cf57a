package import Taffrail

extension LogValue {
    /// Parses a value that was written as text: a number or Boolean if it is printed as one, else a string.
    package init(text: String) {
        if let whole = Int64(text), "\(whole)" == text {
            self = .int(whole)
        } else if let number = Double(text), number.isFinite, "\(number)" == text {
            self = .double(number)
        } else {
            self = text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
        }
    }
}
