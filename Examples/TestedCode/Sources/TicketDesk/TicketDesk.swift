import Taffrail

/// Sells the tickets of a ferry. It uses a named logger, independently of the destination of its records.
public actor TicketDesk {
    private let logger = Logger("tickets")
    private var seats: Int

    /// Opens with a number of seats.
    public init(seats: Int) { self.seats = seats }

    /// Sells seats; `false` if there are too few.
    public func sell(_ count: Int, to passenger: String) -> Bool {
        guard count <= seats else {
            logger.warning("sold out", ["wanted": count, "left": seats])
            return false
        }
        seats -= count
        logger.info("sold \(count) to \(passenger, privacy: .private)", ["left": seats])
        return true
    }
}
