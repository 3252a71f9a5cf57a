public import Foundation
public import Taffrail

extension Date: LogValueConvertible {
    /// A `LogValue.date`, accurate to about a microsecond, clamped to the years 1678 to 2261.
    public var logValue: LogValue { .date(Timestamp(self)) }
}

extension UUID: LogValueConvertible {
    /// A string such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public var logValue: LogValue { .string(uuidString) }
}

extension URL: LogValueConvertible {
    /// The complete string, including any password or token.
    public var logValue: LogValue { .string(absoluteString) }
}
