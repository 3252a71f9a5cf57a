/// A picture of dots, three bytes each.
struct Raster: Sendable {
    let width: Int
    let height: Int
    private(set) var bytes: [UInt8]

    /// Draws a picture.
    init(_ scene: PlotScene) {
        width = scene.width
        height = scene.height
        bytes = [UInt8](repeating: 255, count: width * height * 3)
        for item in scene.items {
            switch item {
            case .line(let points, let color, let width):
                for (from, to) in zip(points, points.dropFirst()) { line(from, to, color, width) }
            case .dot(let point, let color, let radius): line(point, point, color, radius * 2)
            case .text(let text, let point, let anchor): self.text(text, point, anchor)
            }
        }
    }

    private init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// The picture made so small that it fits, each dot the mean of what it stands for; itself where it does.
    func scaled(toFit room: (width: Int, height: Int)) -> Raster {
        let scale = max(Double(width) / Double(room.width), Double(height) / Double(room.height))
        guard scale > 1 else { return self }
        let (columns, rows) = (max(1, Int(Double(width) / scale)), max(1, Int(Double(height) / scale)))
        var small: [UInt8] = []
        small.reserveCapacity(columns * rows * 3)
        for row in 0..<rows {
            let lines = row * height / rows..<(row + 1) * height / rows
            for column in 0..<columns {
                let dots = column * width / columns..<(column + 1) * width / columns
                for offset in 0..<3 {
                    var sum = 0
                    for y in lines { for x in dots { sum += Int(bytes[(y * width + x) * 3 + offset]) } }
                    small.append(UInt8(sum / (lines.count * dots.count)))
                }
            }
        }
        return Raster(width: columns, height: rows, bytes: small)
    }

    subscript(x: Int, y: Int) -> PlotColor {
        let index = (y * width + x) * 3
        return PlotColor(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]))
    }

    /// Draws a stroke with round ends: a dot is covered by as much as it lies within half the width of the line.
    private mutating func line(_ from: PlotPoint, _ to: PlotPoint, _ color: PlotColor, _ stroke: Double) {
        let reach = stroke / 2 + 1
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let square = dx * dx + dy * dy
        guard let rows = Self.range(min(from.y, to.y) - reach, max(from.y, to.y) + reach, height) else { return }
        for y in rows {
            // Of a row only what lies near the line is looked at.
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

    private mutating func text(_ text: String, _ point: PlotPoint, _ anchor: PlotScene.Anchor) {
        let scale = 2
        let length = PixelFont.width(text) * scale
        var left = Int(max(-1e6, min(1e6, point.x)))
        if anchor == .middle { left -= length / 2 }
        if anchor == .end { left -= length }
        let top = Int(max(-1e6, min(1e6, point.y))) - PixelFont.height * scale
        for character in text.unicodeScalars {
            let rows = PixelFont.rows(character)
            for (row, bits) in rows.enumerated() {
                for column in 0..<5 where bits & (16 >> column) != 0 {
                    for sub in 0..<scale * scale {
                        let x = left + column * scale + sub % scale
                        let y = top + row * scale + sub / scale
                        if (0..<width).contains(x) && (0..<height).contains(y) { blend(x, y, .ink, 1) }
                    }
                }
            }
            left += PixelFont.advance * scale
        }
    }
}
