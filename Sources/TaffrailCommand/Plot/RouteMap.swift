internal import Glibc
internal import TaffrailTracks

/// The map of a route in a picture: equirectangular, true to scale in its middle.
struct RouteMap: Sendable {
    let area: PlotArea
    /// Points per degree of latitude.
    let scale: Double
    /// The ratio of a degree of longitude to one of latitude.
    private let narrowing: Double
    private let west: Double
    private let north: Double

    /// The metres in a degree of latitude; accurate enough for a picture.
    private static let metresPerDegree = 111_200.0

    /// The map of all samples; `nil` if there are none.
    ///
    /// - Parameter margin: The distance of the route from the edges of the area.
    init?(_ samples: TrackSamples, in area: PlotArea, margin: Double) {
        guard let first = samples.samples.first else { return nil }
        var (south, north, west, east) = (first.latitude, first.latitude, first.longitude, first.longitude)
        for sample in samples.samples {
            (south, north) = (min(south, sample.latitude), max(north, sample.latitude))
            (west, east) = (min(west, sample.longitude), max(east, sample.longitude))
        }
        narrowing = max(0.01, cos((south + north) / 2 * .pi / 180))
        let smallest = 10 / Self.metresPerDegree
        scale = min(
            max(1, area.width - 2 * margin) / max((east - west) * narrowing, smallest),
            max(1, area.height - 2 * margin) / max(north - south, smallest))
        self.west = (west + east) / 2 - area.width / 2 / scale / narrowing
        self.north = (north + south) / 2 + area.height / 2 / scale
        self.area = area
    }

    private var east: Double { west + area.width / scale / narrowing }
    private var south: Double { north - area.height / scale }

    func point(_ sample: TrackSamples.Sample) -> PlotPoint {
        PlotPoint(x: x(longitude: sample.longitude), y: y(latitude: sample.latitude))
    }

    private func x(longitude: Double) -> Double { area.left + (longitude - west) * narrowing * scale }
    private func y(latitude: Double) -> Double { area.top + (north - latitude) * scale }

    /// Draws the frame with coordinates at its edges.
    func drawGraticule(in scene: inout PlotScene) {
        let parallels = PlotAxis.degrees(from: south, to: north, names: ("N", "S"), wraps: false)
        for tick in parallels.ticks where abs(tick.value) <= 90 {
            let y = y(latitude: tick.value)
            scene.line(from: PlotPoint(x: area.left, y: y), to: PlotPoint(x: area.right, y: y), .grid, width: 1)
            scene.text(tick.label, x: area.left - 6, y: y + 4, .end, size: 12)
        }
        let meridians = PlotAxis.degrees(from: west, to: east, names: ("E", "W"), wraps: true)
        for tick in meridians.ticks {
            let x = x(longitude: tick.value)
            scene.line(from: PlotPoint(x: x, y: area.top), to: PlotPoint(x: x, y: area.bottom), .grid, width: 1)
            scene.text(tick.label, x: x, y: area.bottom + 16, .middle, size: 12)
        }
        let corners = [
            (area.left, area.top), (area.right, area.top), (area.right, area.bottom), (area.left, area.bottom),
        ]
        let frame = (corners + [corners[0]]).map { PlotPoint(x: $0.0, y: $0.1) }
        scene.line(frame, .gap, width: 1)
    }

    /// Draws a bar of a round length with its label.
    func drawScaleBar(in scene: inout PlotScene, x: Double, y: Double, units: TrackUnits) {
        let reach = 160 / scale * Self.metresPerDegree
        let isLong = reach >= units.metres
        let shown = PlotAxis.roundStep(isLong ? reach / units.metres : reach)
        let metres = isLong ? shown * units.metres : shown
        let length = metres / Self.metresPerDegree * scale
        for (one, other) in [
            ((x, y), (x + length, y)), ((x, y - 5), (x, y + 5)), ((x + length, y - 5), (x + length, y + 5)),
        ] {
            scene.line(from: PlotPoint(x: one.0, y: one.1), to: PlotPoint(x: other.0, y: other.1), .ink, width: 1.5)
        }
        scene.text(
            PlotAxis.Tick(value: shown, step: shown).label + " " + (isLong ? units.distanceName : "m"),
            x: x + length + 8, y: y + 5)
    }

    /// Draws a north arrow; north is up.
    static func drawNorth(in scene: inout PlotScene, x: Double, y: Double) {
        scene.items.append(
            .polygon(
                [
                    PlotPoint(x: x, y: y), PlotPoint(x: x + 6, y: y + 18), PlotPoint(x: x, y: y + 14),
                    PlotPoint(x: x - 6, y: y + 18),
                ], .ink))
        scene.text("N", x: x, y: y - 4, .middle, size: 12)
    }

    // MARK: The route

    /// Draws the route: each step in the colour of its speed if known, gaps dashed, the ends as dots.
    func drawRoute(_ samples: TrackSamples, speeds: SpeedScale?, in scene: inout PlotScene) {
        let all = samples.samples
        samples.forEachStep { from, to, isGap in
            guard isGap else { return }
            scene.line([point(all[from]), point(all[to])], .gap, width: 1.5, isDashed: true)
        }
        var run: [PlotPoint] = []
        var color = PlotColor.route
        func end() {
            if run.count > 1 { scene.line(run, color, width: 3) }
            run = []
        }
        samples.forEachStep { from, to, isGap in
            guard !isGap else { return end() }
            let next = speeds.flatMap { scale in all[to].speed.map { scale.color(step: scale.step($0)) } } ?? .route
            if run.isEmpty || next != color {
                end()
                run = [point(all[from])]
                color = next
            }
            run.append(point(all[to]))
        }
        end()
        drawEnds(samples, radius: 6, in: &scene)
    }

    /// Draws the route in one colour.
    func drawThinRoute(_ samples: TrackSamples, in scene: inout PlotScene) {
        for piece in samples.pieces({ point($0) }) { scene.line(piece, .route, width: 1.2) }
        drawEnds(samples, radius: 1.2, in: &scene)
    }

    private func drawEnds(_ samples: TrackSamples, radius: Double, in scene: inout PlotScene) {
        guard let first = samples.samples.first, let last = samples.samples.last else { return }
        scene.dot(point(first), .start, radius: radius)
        // The end of a round trip covers its start, which remains visible around it.
        scene.dot(point(last), .end, radius: radius * 0.7)
    }
}
