internal import TaffrailGeo

/// The step of a policy after a fix.
struct SimulatedStep: Sendable, Hashable {
    /// The source until the next fix.
    enum Source: Sendable, Hashable {
        /// It stays open.
        case open
        /// It is closed, and opened for one fix after that time.
        case closedFor(Duration)
        /// It is closed until the device has moved by `metres`, which other means detect.
        case closedUntilMoved(metres: Double)
    }

    var mode: PingMode
    var ping: Location?
    var source: Source
}
