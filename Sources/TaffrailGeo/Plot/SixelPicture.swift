/// A picture as sixels, which DEC's terminals have shown and many draw today: six rows of dots at a time, in 216
/// colours.
enum SixelPicture {
    static func bytes(_ raster: Raster) -> [UInt8] {
        let (width, height) = (raster.width, raster.height)
        var bytes = Array("\u{1B}P0;0;0q\"1;1;\(width);\(height)".utf8)
        for number in 0..<216 {
            bytes += "#\(number);2;\(number / 36 * 20);\(number / 6 % 6 * 20);\(number % 6 * 20)".utf8
        }
        var colors = [UInt8](repeating: 0, count: 6 * width)
        for top in stride(from: 0, to: height, by: 6) {
            let rows = min(6, height - top)
            var isUsed = [Bool](repeating: false, count: 216)
            for row in 0..<rows {
                for x in 0..<width {
                    let color = number(raster[x, top + row])
                    colors[row * width + x] = color
                    isUsed[Int(color)] = true
                }
            }
            // Each colour of the band is drawn from its left end.
            for color in 0..<216 where isUsed[color] {
                bytes += "#\(color)".utf8
                append(UInt8(color), colors, width, rows, to: &bytes)
                bytes.append(UInt8(ascii: "$"))
            }
            bytes.append(UInt8(ascii: "-"))
        }
        bytes += "\u{1B}\\\n".utf8
        return bytes
    }

    /// The nearest of six steps of each of the three.
    private static func number(_ color: PlotColor) -> UInt8 {
        let steps = [color.red, color.green, color.blue].map { (Int($0) + 25) / 51 }
        return UInt8(steps[0] * 36 + steps[1] * 6 + steps[2])
    }

    /// Draws one colour of a band; what is repeated often is counted.
    private static func append(
        _ color: UInt8, _ colors: [UInt8], _ width: Int, _ rows: Int, to bytes: inout [UInt8]
    ) {
        var run = 0
        var last: UInt8 = 0
        func end() -> [UInt8] { run > 3 ? Array("!\(run)".utf8) + [last] : Array(repeating: last, count: run) }
        for x in 0..<width {
            var bits: UInt8 = 0
            for row in 0..<rows where colors[row * width + x] == color { bits |= 1 << UInt8(row) }
            let sign = 63 + bits
            if sign != last {
                bytes += end()
                (last, run) = (sign, 0)
            }
            run += 1
        }
        // What is empty at the end need not be drawn.
        if last != 63 { bytes += end() }
    }
}
