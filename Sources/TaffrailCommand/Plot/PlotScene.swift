/// A picture as a list of shapes, in drawing order.
struct PlotScene: Sendable {
    enum Anchor: String, Sendable { case start, middle, end }

    enum Item: Sendable {
        case line([PlotPoint], PlotColor, width: Double, isDashed: Bool)
        case polygon([PlotPoint], PlotColor)
        case dot(PlotPoint, PlotColor, radius: Double)
        case text(String, PlotPoint, Anchor, size: Double)
    }

    var width: Int
    var height: Int
    var items: [Item] = []

    /// Adds a line, without points that are indistinguishable from their neighbours.
    mutating func line(_ points: [PlotPoint], _ color: PlotColor, width: Double, isDashed: Bool = false) {
        guard var last = points.first else { return }
        var kept = [last]
        for point in points.dropFirst() where abs(point.x - last.x) + abs(point.y - last.y) >= 0.4 {
            kept.append(point)
            last = point
        }
        if let end = points.last, end != last || kept.count == 1 { kept.append(end) }
        items.append(.line(kept, color, width: width, isDashed: isDashed))
    }

    mutating func line(from start: PlotPoint, to end: PlotPoint, _ color: PlotColor, width: Double) {
        line([start, end], color, width: width)
    }

    mutating func rectangle(_ area: PlotArea, _ color: PlotColor) {
        items.append(
            .polygon(
                [
                    PlotPoint(x: area.left, y: area.top), PlotPoint(x: area.right, y: area.top),
                    PlotPoint(x: area.right, y: area.bottom), PlotPoint(x: area.left, y: area.bottom),
                ], color))
    }

    mutating func text(_ text: String, x: Double, y: Double, _ anchor: Anchor = .start, size: Double = 14) {
        items.append(.text(text, PlotPoint(x: x, y: y), anchor, size: size))
    }

    mutating func dot(_ point: PlotPoint, _ color: PlotColor, radius: Double) {
        items.append(.dot(point, color, radius: radius))
    }
}
