/// A picture in a terminal's characters: the upper half of each is one dot, the lower half another.
enum TerminalPicture {
    static func text(_ raster: Raster) -> String {
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
                // What is paper keeps the terminal's own colour.
                if upper.isPaper {
                    text += "\u{1B}[38;2;\(code(lower))m\u{2584}\u{1B}[0m"
                } else if lower.isPaper {
                    text += "\u{1B}[38;2;\(code(upper))m\u{2580}\u{1B}[0m"
                } else {
                    text += "\u{1B}[38;2;\(code(upper))m\u{1B}[48;2;\(code(lower))m\u{2580}\u{1B}[0m"
                }
            }
            text += "\n"
        }
        return text
    }

    private static func code(_ color: PlotColor) -> String { "\(color.red);\(color.green);\(color.blue)" }
}

extension PlotColor {
    /// Whether nobody would see it on paper.
    fileprivate var isPaper: Bool { red > 215 && green > 215 && blue > 215 }
}
