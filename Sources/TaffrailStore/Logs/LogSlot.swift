#if Store
internal import Taffrail

/// Slots of time in which records are counted.
enum LogSlot {
    /// Returns the minute in which a record is counted, which is determined by its key.
    static func minute(_ nanoseconds: Int64) -> Int64 { of(RecordID.time(RecordID.of(nanoseconds)), span: 60) }

    /// Returns the slot of a time in nanoseconds since 1970.
    ///
    /// - Parameter span: The length of a slot in seconds.
    static func of(_ nanoseconds: Int64, span: Int64) -> Int64 { floor(nanoseconds, by: span &* 1_000_000_000) }

    static func floor(_ number: Int64, by divisor: Int64) -> Int64 { CivilTime.floorDivide(number, by: divisor) }

    /// Returns the start of a slot in nanoseconds since 1970, within the range of such numbers.
    static func start(_ slot: Int64, span: Int64) -> Int64 {
        let (start, overflow) = slot.multipliedReportingOverflow(by: span &* 1_000_000_000)
        return overflow ? (slot < 0 ? .min : .max) : start
    }
}
#endif
