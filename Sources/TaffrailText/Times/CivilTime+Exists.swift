package import Taffrail

extension CivilTime {
    /// Whether the calendar has this day.
    package var exists: Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        // From March to July and from August to December, months of 31 and 30 days alternate.
        return day <= (month == 2 ? (isLeap ? 29 : 28) : 30 + (month ^ month >> 3) & 1)
    }
}
