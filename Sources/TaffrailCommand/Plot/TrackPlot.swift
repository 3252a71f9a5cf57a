internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTracks

/// A picture of a track: its route, and speed and altitude over time or distance. Built event by event; memory is
/// bounded.
struct TrackPlot: Sendable {
    private var samples = TrackSamples()
    private let title: String
    private let units: TrackUnits

    /// An empty plot.
    init(title: String, units: TrackUnits = .metric) {
        self.title = title
        self.units = units
    }

    /// Adds an event.
    mutating func add(_ event: GeoEvent) { samples.add(event) }

    /// The picture as SVG 1.1, in UTF-8.
    var svg: [UInt8] { SVGText.bytes(scene()) }

    /// Returns the route alone, as half-block characters.
    ///
    /// - Parameters:
    ///   - columns: Characters per line, from 1.
    ///   - rows: Lines, from 1.
    ///   - hasColors: Whether to write escape sequences of 24-bit colours.
    func halfBlocks(columns: Int, rows: Int, hasColors: Bool = true) -> String {
        var scene = PlotScene(width: max(1, columns), height: max(1, rows) * 2)
        let area = PlotArea(left: 0, top: 0, width: Double(scene.width), height: Double(scene.height))
        RouteMap(samples, in: area, margin: 1)?.drawThinRoute(samples, in: &scene)
        return HalfBlocks.text(Raster(scene), hasColors: hasColors)
    }

    private func scene() -> PlotScene {
        var scene = PlotScene(width: 1_000, height: 1_010)
        scene.text(title, x: 500, y: 28, .middle, size: 18)
        scene.text(subtitle, x: 500, y: 48, .middle, size: 12)
        let map = PlotArea(left: 90, top: 64, width: 870, height: 496)
        guard let route = RouteMap(samples, in: map, margin: 24) else {
            scene.text("no position", x: 500, y: 300, .middle)
            return scene
        }
        RouteMap.drawNorth(in: &scene, x: 948, y: 36)
        route.drawGraticule(in: &scene)
        let speeds = SpeedScale(samples, in: units)
        route.drawRoute(samples, speeds: speeds, in: &scene)
        route.drawScaleBar(in: &scene, x: map.left, y: 604, units: units)
        drawKey(in: &scene, x: 370, y: 604)
        if let speeds { drawKey(of: speeds, in: &scene, x: 640, y: 604) }
        TrackChart.speed(in: units).draw(
            samples, in: PlotArea(left: 90, top: 670, width: 870, height: 120), units: units, &scene)
        TrackChart.altitude.draw(
            samples, in: PlotArea(left: 90, top: 846, width: 870, height: 110), units: units, &scene)
        let unit = TrackChart.axis(samples, in: units).unit
        scene.text(samples.hasTimes ? "Time, \(unit)" : "Distance, \(unit)", x: 525, y: 1_000, .middle, size: 12)
        return scene
    }

    /// The start and the length of the track.
    private var subtitle: String {
        guard let last = samples.samples.last else { return "" }
        let distance = DecimalText.string(last.distance / units.metres, decimals: 2) + " " + units.distanceName
        guard samples.hasTimes, let start = samples.start else { return distance }
        return "\(RFC3339.string(start))  ·  \(Self.duration(last.time))  ·  \(distance)"
    }

    /// The legend of dots and dashes.
    private func drawKey(in scene: inout PlotScene, x: Double, y: Double) {
        scene.dot(PlotPoint(x: x, y: y), .start, radius: 6)
        scene.text("start", x: x + 12, y: y + 5)
        scene.dot(PlotPoint(x: x + 70, y: y), .end, radius: 4.2)
        scene.text("end", x: x + 80, y: y + 5)
        guard samples.hasGaps else { return }
        scene.line([PlotPoint(x: x + 130, y: y), PlotPoint(x: x + 160, y: y)], .gap, width: 1.5, isDashed: true)
        scene.text("gap", x: x + 168, y: y + 5)
    }

    /// The legend of the speed colours.
    private func drawKey(of speeds: SpeedScale, in scene: inout PlotScene, x: Double, y: Double) {
        let width = 9.0
        for step in 0..<SpeedScale.steps {
            scene.rectangle(
                PlotArea(left: x + 20 + Double(step) * width, top: y - 7, width: width + 0.5, height: 14),
                speeds.color(step: step))
        }
        scene.text("0", x: x + 14, y: y + 5, .end)
        let most = units.speed(speeds.fastest)
        let label = PlotAxis.Tick(value: most, step: PlotAxis.roundStep(most)).label
        scene.text(
            "\(speeds.isExceeded ? "≥ " : "")\(label) \(units.speedName)",
            x: x + 26 + Double(SpeedScale.steps) * width, y: y + 5)
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(max(0, seconds).rounded(), 1e12))
        guard whole < 3_600 else { return ClockText.minutes(.seconds(whole)) }
        return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
    }
}
