/// The digits of times in text.
package enum TimeDigits {
    /// Returns a number of `count` digits at `start`; `nil` if another byte is among them.
    @inlinable
    package static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int64? {
        guard start + count <= text.count else { return nil }
        var value: Int64 = 0
        for index in start..<start + count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}
