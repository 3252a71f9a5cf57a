/// How often a ``PingPolicy`` sends positions.
public enum PingMode: String, Sendable, Hashable, CaseIterable {
    /// On the move: often, with the best accuracy.
    case moving
    /// Standing still by day, away from home.
    case stationaryDay
    /// Standing still at home or at night: rarely, with little power.
    case homeOrNight
}
