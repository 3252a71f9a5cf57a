internal import TaffrailTracks

/// The colours of speeds, from slow to fast.
struct SpeedScale: Sendable {
    /// The fastest speed with its own colour, in m/s; faster ones have the last colour.
    let fastest: Double
    /// Whether there are faster speeds.
    let isExceeded: Bool

    static let steps = 24
    private static let stops = [0x1A0C8C, 0x6A1FA8, 0xB93289, 0xE8603C, 0xF9A32B].map { PlotColor($0) }

    /// The scale for the speeds of a track; `nil` if none is known.
    ///
    /// One position in fifty may exceed the scale: otherwise a single outlier would give all others the same colour.
    ///
    /// - Parameter units: The unit in which the scale ends at a round speed.
    init?(_ samples: TrackSamples, in units: TrackUnits = .metric) {
        let speeds = samples.samples.compactMap(\.speed).sorted()
        guard let last = speeds.last else { return nil }
        let chosen = speeds[(speeds.count - 1) * 49 / 50]
        let axis = PlotAxis.numbers(from: 0, to: max(units.speed(chosen), 1), unit: units.speedName)
        fastest = axis.high / units.speed(1)
        isExceeded = last > fastest
    }

    /// Returns the index of a speed's colour among the ``steps``.
    func step(_ speed: Double) -> Int { min(Self.steps - 1, max(0, Int(speed / fastest * Double(Self.steps)))) }

    func color(step: Int) -> PlotColor {
        let position = Double(step) / Double(Self.steps - 1) * Double(Self.stops.count - 1)
        let index = min(Self.stops.count - 2, max(0, Int(position)))
        return Self.stops[index].mixed(with: Self.stops[index + 1], position - Double(index))
    }
}
