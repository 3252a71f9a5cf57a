/// Turns reports into events: every position is one; a spell without a fix is one error, at its start.
///
/// Keeps a state for each device, so that one that is lost does not hide another one's fixes.
public struct FixLossDetector: Sendable {
    private enum State { case fix, noFix, lost }

    private var states: [String: State] = [:]

    /// Nothing seen yet.
    public init() {}

    /// The event that a report stands for; `nil` while a spell without a fix goes on.
    public mutating func event(_ report: PositionReport) -> GeoEvent? {
        let device = report.device ?? ""
        // Whoever reports anything is not lost, and nor is the connection.
        if states[""] == .lost { states[""] = nil }
        if let location = report.location {
            states[device] = .fix
            return .location(location)
        }
        guard states[device] != .noFix else { return nil }
        states[device] = .noFix
        return .error(.locationUnknown(device.isEmpty ? "no fix" : "no fix from \(device)"))
    }

    /// The event that a device is gone, or with `nil` the connection to all of them; `nil` when that has been told.
    public mutating func lost(_ device: String?, reason: String) -> GeoEvent? {
        guard let device, !device.isEmpty else {
            guard states[""] != .lost else { return nil }
            states = ["": .lost]
            return .error(.locationUnknown(reason))
        }
        guard states[device] != .lost else { return nil }
        states[device] = .lost
        return .error(.locationUnknown(reason))
    }
}
