/// A colour.
struct PlotColor: Sendable, Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    init(_ rgb: UInt32) {
        red = UInt8(truncatingIfNeeded: rgb >> 16)
        green = UInt8(truncatingIfNeeded: rgb >> 8)
        blue = UInt8(truncatingIfNeeded: rgb)
    }

    static let paper = PlotColor(0xFFFFFF)
    static let ink = PlotColor(0x333333)
    static let grid = PlotColor(0xDDDDDD)
    static let route = PlotColor(0x1F6FB4)
    static let speed = PlotColor(0xC0562B)
    static let altitude = PlotColor(0x3A8A45)
    static let start = PlotColor(0x2E9E41)
    static let end = PlotColor(0xC62828)
}

/// A place in a picture: to the right and down from its upper left corner.
struct PlotPoint: Sendable, Hashable {
    var x: Double
    var y: Double
}

/// A picture as a list of what is drawn, in order.
struct PlotScene: Sendable {
    enum Anchor: Sendable { case start, middle, end }

    enum Item: Sendable {
        case line([PlotPoint], PlotColor, width: Double)
        case dot(PlotPoint, PlotColor, radius: Double)
        case text(String, PlotPoint, Anchor)
    }

    var width: Int
    var height: Int
    var items: [Item] = []

    /// Adds a line, without the points that nobody could tell from their neighbours.
    mutating func line(_ points: [PlotPoint], _ color: PlotColor, width: Double) {
        guard var last = points.first else { return }
        var kept = [last]
        for point in points.dropFirst() where abs(point.x - last.x) + abs(point.y - last.y) >= 0.4 {
            kept.append(point)
            last = point
        }
        if let end = points.last, end != last || kept.count == 1 { kept.append(end) }
        items.append(.line(kept, color, width: width))
    }
}
