/// A chart of energy and error: a dot for each policy, and a curve through the best of a sweep.
enum PolicyChart {
    /// Returns the picture as SVG 1.1, in UTF-8.
    ///
    /// - Parameters:
    ///   - sweep: The policies of a sweep; may be empty.
    ///   - others: The policies to compare them with.
    static func svg(title: String, subtitle: String, sweep: [PolicyEntry], others: [PolicyEntry]) -> [UInt8] {
        var scene = PlotScene(width: 900, height: 640)
        scene.text(title, x: 450, y: 28, .middle, size: 18)
        scene.text(subtitle, x: 450, y: 48, .middle, size: 12)
        let (sweep, others) = (sweep.filter { $0.error != nil }, others.filter { $0.error != nil })
        let all = sweep + others
        let area = PlotArea(left: 90, top: 80, width: 770, height: 480)
        let across = PlotAxis.numbers(from: 0, to: all.map(\.result.energy).max() ?? 1, unit: "J", intervals: 8)
        let up = PlotAxis.numbers(from: 0, to: all.compactMap(\.error).max() ?? 1, unit: "m", intervals: 6)
        func point(_ entry: PolicyEntry) -> PlotPoint {
            PlotPoint(
                x: area.left + across.share(entry.result.energy) * area.width,
                y: area.bottom - up.share(entry.error ?? 0) * area.height)
        }
        up.drawUpwards(in: area, &scene)
        for tick in across.ticks {
            let x = area.left + across.share(tick.value) * area.width
            scene.line(from: PlotPoint(x: x, y: area.top), to: PlotPoint(x: x, y: area.bottom), .grid, width: 1)
            scene.text(tick.label, x: x, y: area.bottom + 19, .middle, size: 12)
        }
        scene.text("Energy, J", x: area.left + area.width / 2, y: area.bottom + 44, .middle)
        scene.text("Mean error of the track, m", x: area.left, y: area.top - 12)
        let curve = sweep.filter(\.isBest).sorted { $0.result.energy < $1.result.energy }.map(point)
        if curve.count > 1 { scene.line(curve, .route, width: 2) }
        for (entries, color) in [(others, PlotColor.gap), (sweep, PlotColor.route)] {
            for entry in entries {
                let center = point(entry)
                let isLast = center.x > area.right - 120
                scene.dot(center, color, radius: entry.isBest || sweep.isEmpty ? 5 : 3.5)
                scene.text(
                    entry.name, x: center.x + (isLast ? -9 : 9), y: center.y + (color == .gap ? 15 : -6),
                    isLast ? .end : .start, size: 12)
            }
        }
        return SVGText.bytes(scene)
    }
}

extension PolicyEntry {
    /// The mean error; `nil` if nothing was sent.
    fileprivate var error: Double? { result.error.mean }
}
