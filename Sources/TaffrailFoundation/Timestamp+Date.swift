public import Foundation
public import Taffrail

extension Timestamp {
    /// The time as Foundation's `Date`, accurate to about a microsecond.
    public var date: Date { Date(timeIntervalSince1970: secondsSince1970) }

    /// Creates a time from Foundation's `Date`.
    public init(_ date: Date) { self.init(secondsSince1970: date.timeIntervalSince1970) }
}
