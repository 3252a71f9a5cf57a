internal import TaffrailGeo
internal import TaffrailText

/// Omits positions within a distance of the last recorded position of the same receiver.
struct MinimumMove {
    private let metres: Double
    private var positions: [ExactText: Coordinate] = [:]

    /// - Parameter metres: The distance; 0: nothing is omitted.
    init(metres: Double) { self.metres = metres }

    /// Returns whether to record an event. The first position after an error is always recorded.
    mutating func admits(_ event: GeoEvent) -> Bool {
        guard metres > 0 else { return true }
        switch event {
        case .location(let location):
            let device = ExactText(location.extra.device ?? "")
            if let last = positions[device], Geodesy.distance(last, location.coordinate) < metres { return false }
            positions[device] = location.coordinate
            return true
        case .error(let error):
            if let device = error.device { positions[ExactText(device)] = nil } else { positions = [:] }
            return true
        case .log: return true
        }
    }
}
