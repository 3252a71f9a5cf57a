internal import TaffrailGeo

/// The cost and the accuracy of a policy on recorded days.
struct PolicyResult: Sendable, Hashable {
    var pings = 0
    var seconds: [PingMode: Double] = [:]
    /// The time for which the source is open, in seconds.
    var gpsSeconds = 0.0
    /// The distance between the device's position and the line between the pings before and after, over time, in
    /// metres.
    var error = WeightedValues()
    /// In joules.
    var energy = 0.0
}
