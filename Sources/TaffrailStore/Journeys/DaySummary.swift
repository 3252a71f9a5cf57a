#if Store
/// The summary of a device's day.
public struct DaySummary: Sendable, Hashable {
    /// The device.
    public var device: String
    /// The day by local time, such as `2026-01-05`.
    public var date: String
    /// The number of trips that began on that day.
    public var trips = 0
    /// The total length of the trips in metres.
    public var distance = 0.0
    /// The total duration of the trips.
    public var moving = Duration.zero
    /// The number of visits on that day, including those that began before.
    public var visits = 0
    /// The total duration of the visits on that day.
    public var staying = Duration.zero
}
#endif
