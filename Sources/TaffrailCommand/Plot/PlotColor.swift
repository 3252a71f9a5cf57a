internal import Taffrail
internal import TaffrailText

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
    static let gap = PlotColor(0x9A9A9A)
    static let gapBand = PlotColor(0xEEEEEE)
    static let route = PlotColor(0x1F6FB4)
    static let speed = PlotColor(0xC0562B)
    static let altitude = PlotColor(0x3A8A45)
    static let start = PlotColor(0x2E9E41)
    static let end = PlotColor(0xC62828)

    /// Returns a colour between two others.
    ///
    /// - Parameter share: 0 is `self`, 1 is `other`.
    func mixed(with other: PlotColor, _ share: Double) -> PlotColor {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt32 {
            UInt32(min(255, max(0, (Double(one) + (Double(two) - Double(one)) * share).rounded())))
        }
        return PlotColor(mix(red, other.red) << 16 | mix(green, other.green) << 8 | mix(blue, other.blue))
    }

    /// For example `#1f6fb4`.
    var hex: String { "#" + HexText.string([red, green, blue]) }
}
