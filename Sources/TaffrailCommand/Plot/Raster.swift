/// A picture of pixels, three bytes each: the lines and dots of a scene, without text and areas.
struct Raster: Sendable {
    let width: Int
    let height: Int
    private(set) var bytes: [UInt8]

    /// Draws a scene.
    init(_ scene: PlotScene) {
        width = scene.width
        height = scene.height
        bytes = [UInt8](repeating: 255, count: width * height * 3)
        for item in scene.items {
            switch item {
            case .line(let points, let color, let width, _):
                for (from, to) in zip(points, points.dropFirst()) { line(from, to, color, width) }
            case .dot(let point, let color, let radius): line(point, point, color, radius * 2)
            case .polygon, .text: break
            }
        }
    }

    subscript(x: Int, y: Int) -> PlotColor {
        let index = (y * width + x) * 3
        return PlotColor(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]))
    }

    /// Draws a stroke with round ends, antialiased.
    private mutating func line(_ from: PlotPoint, _ to: PlotPoint, _ color: PlotColor, _ stroke: Double) {
        let reach = stroke / 2 + 1
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let square = dx * dx + dy * dy
        guard let rows = Self.range(min(from.y, to.y) - reach, max(from.y, to.y) + reach, height) else { return }
        for y in rows {
            // In a row only the pixels near the line are computed.
            var (low, high) = (min(from.x, to.x), max(from.x, to.x))
            if abs(dy) > 1e-9 {
                let one = from.x + (Double(y) - reach - from.y) / dy * dx
                let other = from.x + (Double(y) + 1 + reach - from.y) / dy * dx
                (low, high) = (max(low, min(one, other)), min(high, max(one, other)))
            }
            guard let columns = Self.range(low - reach, high + reach, width) else { continue }
            for x in columns {
                let (px, py) = (Double(x) + 0.5 - from.x, Double(y) + 0.5 - from.y)
                let along = square > 0 ? max(0, min(1, (px * dx + py * dy) / square)) : 0
                let (ox, oy) = (px - along * dx, py - along * dy)
                blend(x, y, color, stroke / 2 + 0.5 - (ox * ox + oy * oy).squareRoot())
            }
        }
    }

    private static func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int>? {
        guard low.isFinite, high.isFinite, high >= 0, low < Double(limit) else { return nil }
        let first = Int(max(0, low))
        let end = Int(min(Double(limit), high + 1))
        return first < end ? first..<end : nil
    }

    private mutating func blend(_ x: Int, _ y: Int, _ color: PlotColor, _ cover: Double) {
        guard cover > 0 else { return }
        let share = min(1, cover)
        let index = (y * width + x) * 3
        for (offset, value) in [color.red, color.green, color.blue].enumerated() {
            let old = Double(bytes[index + offset])
            bytes[index + offset] = UInt8(old + (Double(value) - old) * share)
        }
    }
}
