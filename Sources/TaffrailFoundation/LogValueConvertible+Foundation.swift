public import Foundation
public import Taffrail

extension Date: LogValueConvertible {
    /// A `LogValue.date`, to about a microsecond; before the year 1678 and after 2261 the nearest.
    public var logValue: LogValue { .date(Timestamp(secondsSince1970: timeIntervalSince1970)) }
}

extension UUID: LogValueConvertible {
    /// The text, such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public var logValue: LogValue { .string(uuidString) }
}

extension URL: LogValueConvertible {
    /// The whole text, with everything that it contains: also a password or token.
    public var logValue: LogValue { .string(absoluteString) }
}
