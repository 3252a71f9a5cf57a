internal import TaffrailTracks

/// A chart of one quantity along a track: over time if every position has one, else over distance.
struct TrackChart: Sendable {
    let title: String
    let color: PlotColor
    /// Whether the axis starts at 0.
    let startsAtZero: Bool
    let value: @Sendable (TrackSamples.Sample) -> Double?

    static func speed(in units: TrackUnits) -> TrackChart {
        TrackChart(title: "Speed, \(units.speedName)", color: .speed, startsAtZero: true) {
            $0.speed.map { units.speed($0) }
        }
    }
    static let altitude = TrackChart(title: "Altitude, m", color: .altitude, startsAtZero: false) { $0.altitude }

    /// Returns the horizontal axis of all charts of a track.
    static func axis(_ samples: TrackSamples, in units: TrackUnits) -> PlotAxis {
        let (low, high) = range(samples)
        return samples.hasTimes ? .time(high - low) : .distance(high - low, in: units)
    }

    private static func range(_ samples: TrackSamples) -> (Double, Double) {
        let values = samples.samples.map { samples.hasTimes ? $0.time : $0.distance }
        return (values.min() ?? 0, values.max() ?? 0)
    }

    /// Draws the chart with its axes; gaps are grey bands.
    func draw(_ samples: TrackSamples, in area: PlotArea, units: TrackUnits, _ scene: inout PlotScene) {
        scene.text(title, x: area.left, y: area.top - 10)
        let values = samples.samples.compactMap(value)
        guard let least = values.min(), let most = values.max() else {
            return scene.text("unknown", x: area.left + 8, y: area.top + area.height / 2)
        }
        let across = Self.axis(samples, in: units)
        let start = Self.range(samples).0
        func x(_ sample: TrackSamples.Sample) -> Double {
            area.left + across.share((samples.hasTimes ? sample.time : sample.distance) - start) * area.width
        }
        let all = samples.samples
        if samples.hasTimes {
            samples.forEachStep { from, to, isGap in
                guard isGap else { return }
                let (one, other) = (x(all[from]), x(all[to]))
                scene.rectangle(
                    PlotArea(left: min(one, other), top: area.top, width: abs(other - one), height: area.height),
                    .gapBand)
            }
        }
        let up = PlotAxis.numbers(from: startsAtZero ? min(0, least) : least, to: most, unit: "")
        up.drawUpwards(in: area, &scene)
        for tick in across.ticks {
            let x = area.left + across.share(tick.value) * area.width
            scene.line(from: PlotPoint(x: x, y: area.bottom), to: PlotPoint(x: x, y: area.bottom + 5), .gap, width: 1)
            scene.text(tick.label, x: x, y: area.bottom + 19, .middle, size: 12)
        }
        for piece in samples.pieces({ sample in
            value(sample).map { PlotPoint(x: x(sample), y: area.bottom - up.share($0) * area.height) }
        }) { scene.line(piece, color, width: 1.5) }
    }
}
