internal import Taffrail
internal import TaffrailText
internal import TaffrailTracks

/// The ticks of an axis: round values with their labels.
struct PlotAxis: Sendable {
    struct Tick: Sendable, Hashable {
        var value: Double
        var label: String
    }

    /// The axis covers all values between its ends, which need not be ticks.
    var low: Double
    var high: Double
    var ticks: [Tick]
    /// The unit of the numbers, such as `km/h`.
    var unit: String

    /// Larger values are not drawn: they are not real, and would hide all others.
    static let largest = 1e9

    /// Returns the relative position of a value on the axis: 0 is `low`, 1 is `high`.
    func share(_ value: Double) -> Double { (value - low) / (high - low) }

    /// Draws it as a vertical axis: a line across the area and a label for each tick.
    func drawUpwards(in area: PlotArea, _ scene: inout PlotScene) {
        for tick in ticks {
            let y = area.bottom - share(tick.value) * area.height
            scene.line(from: PlotPoint(x: area.left, y: y), to: PlotPoint(x: area.right, y: y), .grid, width: 1)
            scene.text(tick.label, x: area.left - 6, y: y + 4, .end, size: 12)
        }
    }

    /// An axis of numbers with round ends.
    static func numbers(from least: Double, to most: Double, unit: String, intervals: Int = 5) -> PlotAxis {
        let step = tickStep(of: max(most - least, 1e-6), intervals: intervals)
        let first = (least / step).rounded(.down)
        let last = max(first + 1, (most / step).rounded(.up))
        let ticks = (0...Int(last - first)).map { Tick(value: (first + Double($0)) * step, step: step) }
        return PlotAxis(low: first * step, high: last * step, ticks: ticks, unit: unit)
    }

    /// Returns an axis of a distance in metres, starting at 0.
    static func distance(_ metres: Double, in units: TrackUnits = .metric) -> PlotAxis {
        let isLong = metres >= 2 * units.metres
        let length = max(isLong ? metres / units.metres : metres, 1e-3)
        let step = tickStep(of: length, intervals: 8)
        let ticks = (0...Int(length / step)).map { Tick(value: Double($0) * step, step: step) }
        let factor = isLong ? units.metres : 1
        return PlotAxis(
            low: 0, high: length * factor, ticks: ticks.map { Tick(value: $0.value * factor, label: $0.label) },
            unit: isLong ? units.distanceName : "m")
    }

    /// Returns an axis of a time in seconds, starting at 0.
    static func time(_ seconds: Double) -> PlotAxis {
        let length = max(seconds, 1)
        let step =
            [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400].first {
                length / $0 <= 7
            } ?? 86_400 * tickStep(of: length / 86_400, intervals: 7)
        let (unit, format): (String, (Int) -> String) =
            switch length {
            case ..<120: ("s", { "\($0)" })
            case ..<7_200: ("min:s", { "\($0 / 60):" + Decimal.padded($0 % 60, 2) })
            case ..<172_800: ("h:min", { "\($0 / 3_600):" + Decimal.padded($0 / 60 % 60, 2) })
            default: ("days", { Tick(value: Double($0) / 86_400, step: step / 86_400).label })
            }
        let ticks = (0...Int(length / step)).map {
            Tick(value: Double($0) * step, label: format(Int(Double($0) * step)))
        }
        return PlotAxis(low: 0, high: length, ticks: ticks, unit: unit)
    }

    /// Returns the ticks of coordinates between two values, in degrees.
    ///
    /// - Parameters:
    ///   - names: The letters of a positive and of a negative value, such as `N` and `S`.
    ///   - wraps: Whether the values continue beyond 180 degrees.
    static func degrees(from low: Double, to high: Double, names: (String, String), wraps: Bool) -> PlotAxis {
        let step = tickStep(of: max(high - low, 1e-6), intervals: 7)
        let first = Int((low / step).rounded(.up))
        let last = max(first - 1, Int((high / step).rounded(.down)))
        let ticks = (first..<last + 1).map { index -> Tick in
            let value = Double(index) * step
            let shown = wraps ? value.remainder(dividingBy: 360) : value
            let name = abs(shown) < step / 2 ? "" : " " + (shown > 0 ? names.0 : names.1)
            return Tick(value: value, label: Tick(value: abs(shown), step: step).label + "°" + name)
        }
        return PlotAxis(low: low, high: high, ticks: ticks, unit: "°")
    }

    /// Returns the largest of 1, 2 and 5 times a power of ten that does not exceed a value.
    static func roundStep(_ value: Double) -> Double {
        guard value.isFinite, value > 0 else { return 1 }
        var power = 1.0
        while power * 10 <= value { power *= 10 }
        while power > value { power /= 10 }
        return (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1) * power
    }

    /// Returns the smallest of 1, 2 and 5 times a power of ten that divides a length into at most a number of
    /// intervals.
    private static func tickStep(of length: Double, intervals: Int) -> Double {
        let least = length / Double(intervals)
        let below = roundStep(least)
        if least <= below * 1.000_001 { return below }
        return roundStep(below * 2.6)
    }
}

extension PlotAxis.Tick {
    /// A tick whose label has as many decimals as its step requires.
    init(value: Double, step: Double) {
        var (decimals, power) = (0, 1.0)
        while decimals < 7 && (step * power).rounded() < step * power - 1e-6 || decimals < 7 && step * power < 0.999 {
            decimals += 1
            power *= 10
        }
        self.init(value: value, label: DecimalText.string(value == 0 ? 0 : value, decimals: decimals))
    }
}
