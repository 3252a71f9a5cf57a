/// Converts reports to events: every position is one; a period without a fix is one error, at its start.
///
/// Keeps a state for each device, so that a lost device does not hide the fixes of another.
public struct FixLossDetector: Sendable {
    private enum State { case fix, noFix, lost }

    private var states: [String: State] = [:]

    /// Creates a detector without state.
    public init() {}

    /// Returns the event of a report; `nil` during a period without a fix.
    public mutating func event(_ report: PositionReport) -> GeoEvent? {
        let device = report.device ?? ""
        // Any report shows that neither the device nor the connection is lost.
        if states[""] == .lost { states[""] = nil }
        if let location = report.location {
            states[device] = .fix
            return .location(location)
        }
        guard states[device] != .noFix else { return nil }
        states[device] = .noFix
        guard !device.isEmpty else { return .error(.locationUnknown()) }
        return .error(.locationUnknown("no fix from \(device)", device: device))
    }

    /// Returns the event for the loss of a device or, with `nil`, of the connection to all devices; `nil` if the loss
    /// has been reported.
    public mutating func lost(_ device: String?, reason: String) -> GeoEvent? {
        guard let device, !device.isEmpty else {
            guard states[""] != .lost else { return nil }
            states = ["": .lost]
            return .error(.locationUnknown(reason))
        }
        guard states[device] != .lost else { return nil }
        states[device] = .lost
        return .error(.locationUnknown(reason, device: device))
    }
}
