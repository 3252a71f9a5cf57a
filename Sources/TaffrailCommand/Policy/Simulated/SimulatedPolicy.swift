internal import TaffrailGeo

/// A policy in a simulation: which positions it sends, and when it needs the source of positions.
protocol SimulatedPolicy {
    /// Evaluates a fix, which has an accuracy.
    mutating func take(_ fix: Location) -> SimulatedStep
}
