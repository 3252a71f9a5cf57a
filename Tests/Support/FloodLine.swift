internal import Glibc

/// A line of the test subject's flood: `[time] [INFO] r=R t=T n=N check\=C`, complete and correct, with the logger's
/// name if it has one. A line that begins with `[time]` itself was written from a message, in which nothing is escaped.
struct FloodLine {
    let round: UnsafeBufferPointer<UInt8>
    /// From 0 to 3.
    let thread: Int
    /// From 1.
    let number: UInt64

    /// - Returns: `nil` for any other line.
    init?(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        guard start < end, start.pointee == UInt8(ascii: "["), let bracket = memchr(start, 0x5D, end - start) else {
            return nil
        }
        var next = UnsafePointer(bracket.assumingMemoryBound(to: UInt8.self))
        /// Skips a word, if it is the next one.
        func skip(_ word: StaticString) -> Bool {
            let count = word.utf8CodeUnitCount
            guard end - next >= count, memcmp(next, word.utf8Start, count) == 0 else { return false }
            next += count
            return true
        }
        /// A decimal number of at most 19 digits, as printed by the subject.
        func decimal() -> UInt64? {
            let first = next
            var value: UInt64 = 0
            while next < end {
                let digit = next.pointee &- 0x30
                if digit > 9 { break }
                value = value &* 10 &+ UInt64(digit)
                next += 1
            }
            let count = next - first
            return count == 0 || count > 19 || count > 1 && first.pointee == 0x30 ? nil : value
        }
        guard skip("] [INFO] r="), let space = memchr(next, 0x20, end - next) else { return nil }
        let name = next
        next = UnsafePointer(space.assumingMemoryBound(to: UInt8.self))
        round = UnsafeBufferPointer(start: name, count: next - name)
        guard skip(" t="), let thread = decimal(), thread < 4, skip(" n="), let number = decimal(), number > 0,
            skip(start[1] == UInt8(ascii: "t") ? " check=" : " check\\="),
            let check = decimal(), check == (number &* 2_654_435_761) ^ thread,
            next == end || skip(" logger=t") && memchr(next, 0x20, end - next) == nil
        else { return nil }
        self.thread = Int(thread)
        self.number = number
    }
}
