/// A point in a picture: right and down from its upper left corner.
struct PlotPoint: Sendable, Hashable {
    var x: Double
    var y: Double
}
