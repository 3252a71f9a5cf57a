internal import TaffrailGeo

/// The step of a policy after a fix.
struct SimulatedStep: Sendable, Hashable {
    /// The source until the next fix.
    enum Source: Sendable, Hashable {
        /// The source stays open.
        case open
        /// The source is closed, and opened for one fix after that time.
        case closedFor(Duration)
        /// The source is closed until the device has moved by `metres`, which is detected by other means.
        case closedUntilMoved(metres: Double)
    }

    var mode: PingMode
    var ping: Location?
    var source: Source
}
