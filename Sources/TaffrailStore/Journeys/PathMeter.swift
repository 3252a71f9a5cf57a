#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTracks

/// Measures the length of a path without the noise of its fixes: the length of the path simplified within their
/// accuracy. Uses constant memory.
struct PathMeter {
    private var measured = 0.0
    private var path: [ScaledCoordinate] = []
    /// The sum of the accuracies of the fixes in `path`.
    private var uncertainty = 0.0

    private static let capacity = 256

    /// The length in metres.
    var length: Double { measured + Self.length(kept.map { path[$0] }) }

    /// Adds the next place.
    ///
    /// - Parameter uncertainty: The accuracy of the place in metres.
    mutating func add(_ place: ScaledCoordinate, uncertainty: Double) {
        if place == path.last { return }
        path.append(place)
        self.uncertainty += uncertainty
        if path.count >= Self.capacity { measure() }
    }

    /// Measures up to the last place that no later place can remove.
    private mutating func measure() {
        let kept = kept
        let mean = uncertainty / Double(path.count)
        if kept.count > 2 {
            measured += Self.length(kept.dropLast().map { path[$0] })
            path.removeFirst(kept[kept.count - 2])
        }
        // A long straight line needs only its ends.
        if path.count > Self.capacity / 2 { path = [path[0], path[path.count - 1]] }
        uncertainty = mean * Double(path.count)
    }

    /// Keeps the length and discards the places.
    mutating func forgetPlaces() {
        measured = length
        path = []
        uncertainty = 0
    }

    private var kept: [Int] {
        let tolerance = path.isEmpty ? 0 : min(30, max(3, uncertainty / Double(path.count)))
        return TrackSimplification.indices(path.map(\.coordinate), tolerance: tolerance)
    }

    /// Returns the length of the lines between valid places: a stored length that is not a number could not be read.
    private static func length(_ path: [ScaledCoordinate]) -> Double {
        zip(path, path.dropFirst()).reduce(0) {
            let distance = Geodesy.distance($1.0.coordinate, $1.1.coordinate)
            return distance.isFinite ? $0 + distance : $0
        }
    }
}

extension PathMeter {
    func add(to object: inout JSONObject) {
        object.add("measured", measured)
        object.add("path", path) { $1.add(to: &$0) }
        object.add("uncertainty", uncertainty)
    }

    init?(_ value: LogValue) {
        guard let measured = value["measured"]?.number, let list = value["path"]?.elements,
            let uncertainty = value["uncertainty"]?.number
        else { return nil }
        self.measured = measured
        path = list.compactMap { ScaledCoordinate($0) }
        self.uncertainty = uncertainty
        guard path.count == list.count else { return nil }
    }
}
#endif
