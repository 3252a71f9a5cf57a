internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTracks

/// The positions of a track that a picture shows. Memory is bounded: long tracks are thinned out.
struct TrackSamples: Sendable {
    struct Sample: Sendable {
        var latitude: Double
        /// In degrees, continuous across the antimeridian.
        var longitude: Double
        /// In seconds since the first position.
        var time: Double
        /// In metres from the first position, without gaps.
        var distance: Double
        /// In m/s.
        var speed: Double?
        /// In metres.
        var altitude: Double?
        /// Whether a gap precedes it.
        var startsPiece: Bool
    }

    private(set) var samples: [Sample] = []
    /// Whether every position has a time.
    private(set) var hasTimes = true
    /// The time of the first position.
    private(set) var start: Timestamp?

    private var stride = 1
    private var skipped = 0
    private var distance = 0.0
    private var previous: Location?
    private var startsPiece = true

    private static let limit = 1 << 17

    var hasGaps: Bool { samples.dropFirst().contains(where: \.startsPiece) }

    /// Adds an event.
    mutating func add(_ event: GeoEvent) {
        switch event {
        case .location(let location): add(location)
        case .error:
            previous = nil
            startsPiece = true
        case .log: break
        }
    }

    private mutating func add(_ location: Location) {
        let step = previous.map { location.distance(from: $0) } ?? 0
        var speed = location.speed
        if location.extra.hasNoTime == true {
            hasTimes = false
        } else if speed == nil, let previous, previous.extra.hasNoTime != true {
            let seconds = location.timestamp.seconds(since: previous.timestamp)
            if seconds > 0 { speed = step / seconds }
        }
        previous = location
        distance += step
        let first = start ?? location.timestamp
        start = first
        skipped += 1
        guard samples.isEmpty || skipped >= stride else { return }
        skipped = 0
        let longitude = samples.last.map {
            $0.longitude + Geodesy.wrapped(location.coordinate.longitude - $0.longitude)
        }
        samples.append(
            Sample(
                latitude: location.coordinate.latitude, longitude: longitude ?? location.coordinate.longitude,
                time: location.timestamp.seconds(since: first), distance: distance, speed: Self.plausible(speed),
                altitude: Self.plausible(location.meanSeaLevelAltitude), startsPiece: startsPiece))
        startsPiece = false
        if samples.count >= Self.limit { thin() }
    }

    private static func plausible(_ value: Double?) -> Double? {
        value.flatMap { abs($0) <= PlotAxis.largest ? $0 : nil }
    }

    /// Drops every other sample. A gap before a dropped one is then before the next.
    private mutating func thin() {
        stride *= 2
        var follows = false
        samples = samples.enumerated().compactMap { index, sample in
            var sample = sample
            sample.startsPiece = sample.startsPiece || follows
            follows = index % 2 == 1 && sample.startsPiece
            return index % 2 == 1 ? nil : sample
        }
        startsPiece = follows
    }

    /// Calls `body` with each pair of neighbours, and whether there is a gap between them.
    func forEachStep(_ body: (_ from: Int, _ to: Int, _ isGap: Bool) -> Void) {
        for index in samples.indices.dropFirst() { body(index - 1, index, samples[index].startsPiece) }
    }

    /// Returns the points of all samples as lines, split at gaps and missing points.
    func pieces(_ point: (Sample) -> PlotPoint?) -> [[PlotPoint]] {
        var pieces: [[PlotPoint]] = []
        var isOpen = false
        for sample in samples {
            guard let point = point(sample) else {
                isOpen = false
                continue
            }
            if isOpen && !sample.startsPiece {
                pieces[pieces.count - 1].append(point)
            } else {
                pieces.append([point])
            }
            isOpen = true
        }
        return pieces
    }
}
