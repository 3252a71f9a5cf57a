internal import TaffrailGeo
internal import TaffrailText

/// Omits positions within a distance of the last recorded position of the same receiver.
struct MinimumMove {
    private let metres: Double
    private var positions: [ExactText: Coordinate] = [:]

    /// - Parameter metres: The distance; 0: nothing is omitted.
    init(metres: Double) { self.metres = metres }

    /// Returns whether to omit an event. The first position after an error is always recorded.
    func omits(_ event: GeoEvent) -> Bool {
        guard metres > 0, case .location(let location) = event,
            let last = positions[ExactText(location.extra.device ?? "")]
        else {
            return false
        }
        return Geodesy.distance(last, location.coordinate) < metres
    }

    /// Notes that an event has been recorded.
    mutating func record(_ event: GeoEvent) {
        guard metres > 0 else { return }
        switch event {
        case .location(let location): positions[ExactText(location.extra.device ?? "")] = location.coordinate
        case .error(let error):
            if let device = error.device { positions[ExactText(device)] = nil } else { positions = [:] }
        case .log: break
        }
    }
}
