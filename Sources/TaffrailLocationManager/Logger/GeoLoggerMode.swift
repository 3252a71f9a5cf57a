/// The mode of a ``GeoLogger``.
public enum GeoLoggerMode: String, Sendable, Hashable, CaseIterable {
    /// Passes positions and errors through, and records them.
    case record
    /// Replays a recording instead of using a receiver.
    case replay
    /// Passes positions and errors through.
    case passthrough
}
