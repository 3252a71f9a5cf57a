package import Taffrail

extension TimeDigits {
    /// The first three letters of the months' English names.
    package static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the nanoseconds of any number of decimals; those after the ninth are truncated.
    ///
    /// - Parameter index: The offset after the point; set to the end of the decimals.
    /// - Returns: `nil` if there are none.
    @inlinable
    @inline(__always)
    package static func decimals(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> Int64? {
        var value: Int64 = 0
        var digits = 0
        let start = index
        while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
            if digits < 9 {
                value = value * 10 + Int64(text[index] &- UInt8(ascii: "0"))
                digits += 1
            }
            index += 1
        }
        guard index > start else { return nil }
        while digits < 9 {
            value *= 10
            digits += 1
        }
        return value
    }

    /// Returns the hours and minutes of an offset from UTC: `0100` or `01:00`.
    ///
    /// - Parameter index: The offset after the sign; set to the end of the minutes.
    /// - Returns: `nil` if it is anything else; numbers out of range are returned.
    package static func hoursAndMinutes(
        _ text: UnsafeRawBufferPointer, _ index: inout Int
    ) -> (hours: Int64, minutes: Int64)? {
        let hasColon = index + 2 < text.count && text[index + 2] == UInt8(ascii: ":")
        let minutesAt = index + (hasColon ? 3 : 2)
        guard let hours = number(text, index, 2), let minutes = number(text, minutesAt, 2) else { return nil }
        index = minutesAt + 2
        return (hours, minutes)
    }

    /// Returns the seconds since midnight of `14:30:00`, which may be a leap second; `nil` if it is anything else.
    package static func timeOfDay(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int64? {
        guard let hour = number(text, start, 2), let minute = number(text, start + 3, 2),
            let second = number(text, start + 6, 2), text[start + 2] == UInt8(ascii: ":"),
            text[start + 5] == UInt8(ascii: ":"), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
