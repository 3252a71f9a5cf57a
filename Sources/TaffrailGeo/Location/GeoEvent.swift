public import Taffrail

/// An event along a track: a position, a missing position, or a log record. The values are stored indirectly, because
/// events are copied often.
public enum GeoEvent: Sendable, Hashable {
    /// A position.
    indirect case location(Location)
    /// The reason for a missing position.
    indirect case error(GeoError)
    /// A log record, stored along with the positions.
    indirect case log(LogRecord)

    /// The position, if it is one.
    public var location: Location? { if case .location(let location) = self { location } else { nil } }
    /// The error, if it is one.
    public var error: GeoError? { if case .error(let error) = self { error } else { nil } }

    /// Returns whether the event belongs to the track of a receiver: a position or an error of the receiver, an error
    /// that names no receiver, or a log record.
    ///
    /// - Parameter device: The receiver; empty: the one without a name.
    public func belongs(to device: String) -> Bool {
        switch self {
        case .location(let location): (location.extra.device ?? "") == device
        case .error(let error): error.device.map { $0 == device } ?? true
        case .log: true
        }
    }
}
