internal import TaffrailGeo

/// The cost and the accuracy of a policy on recorded days.
struct PolicyResult: Sendable, Hashable {
    var pings = 0
    /// The time in each mode.
    var times: [PingMode: Duration] = [:]
    /// The time for which the source is open.
    var gpsTime = Duration.zero
    /// The distance between the device's position and the line between the pings before and after, over time, in
    /// metres.
    var error = WeightedValues()
    /// In joules.
    var energy = 0.0
}
