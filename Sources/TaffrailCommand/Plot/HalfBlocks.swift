/// A picture in characters: the upper half of each is one pixel, the lower half another.
enum HalfBlocks {
    static func text(_ raster: Raster, hasColors: Bool) -> String {
        var text = ""
        for y in stride(from: 0, to: raster.height, by: 2) {
            var blanks = 0
            for x in 0..<raster.width {
                let upper = raster[x, y]
                let lower = y + 1 < raster.height ? raster[x, y + 1] : .paper
                if upper.isPaper && lower.isPaper {
                    blanks += 1
                    continue
                }
                text += String(repeating: " ", count: blanks)
                blanks = 0
                text += hasColors ? colored(upper, lower) : plain(upper, lower)
            }
            text += "\n"
        }
        return text
    }

    private static func plain(_ upper: PlotColor, _ lower: PlotColor) -> String {
        upper.isPaper ? "\u{2584}" : lower.isPaper ? "\u{2580}" : "\u{2588}"
    }

    /// Returns a character; the background keeps the terminal's own colour.
    private static func colored(_ upper: PlotColor, _ lower: PlotColor) -> String {
        if upper.isPaper { return "\u{1B}[38;2;\(code(lower))m\u{2584}\u{1B}[0m" }
        if lower.isPaper { return "\u{1B}[38;2;\(code(upper))m\u{2580}\u{1B}[0m" }
        return "\u{1B}[38;2;\(code(upper))m\u{1B}[48;2;\(code(lower))m\u{2580}\u{1B}[0m"
    }

    private static func code(_ color: PlotColor) -> String { "\(color.red);\(color.green);\(color.blue)" }
}

extension PlotColor {
    /// Whether the colour is too light to show on white.
    fileprivate var isPaper: Bool { red > 215 && green > 215 && blue > 215 }
}
