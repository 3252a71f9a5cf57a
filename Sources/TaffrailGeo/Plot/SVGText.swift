/// Writes a picture as SVG 1.1.
enum SVGText {
    static func bytes(_ scene: PlotScene) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(
            contentsOf: """
                <?xml version="1.0" encoding="UTF-8"?>
                <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(scene.width)" height="\(scene.height)" \
                viewBox="0 0 \(scene.width) \(scene.height)" font-family="sans-serif" font-size="14">
                <rect width="100%" height="100%" fill="\(hex(.paper))"/>

                """.utf8)
        for item in scene.items { append(item, to: &bytes) }
        bytes.append("</svg>\n")
        return bytes
    }

    private static func append(_ item: PlotScene.Item, to bytes: inout [UInt8]) {
        switch item {
        case .line(let points, let color, let width):
            bytes.append("<polyline fill=\"none\" stroke-linejoin=\"round\" stroke=\"")
            bytes.append(contentsOf: "\(hex(color))\" stroke-width=\"\(width)\" points=\"".utf8)
            for (index, point) in points.enumerated() {
                if index > 0 { bytes.append(" ") }
                pair(point, &bytes)
            }
            bytes.append("\"/>\n")
        case .dot(let point, let color, let radius):
            bytes.append("<circle cx=\"")
            bytes.append(real: point.x, decimals: 1)
            bytes.append("\" cy=\"")
            bytes.append(real: point.y, decimals: 1)
            bytes.append(contentsOf: "\" r=\"\(radius)\" fill=\"\(hex(color))\"/>\n".utf8)
        case .text(let text, let point, let anchor):
            bytes.append("<text x=\"")
            bytes.append(real: point.x, decimals: 1)
            bytes.append("\" y=\"")
            bytes.append(real: point.y, decimals: 1)
            let name = anchor == .start ? "start" : anchor == .middle ? "middle" : "end"
            bytes.append(contentsOf: "\" text-anchor=\"\(name)\" fill=\"\(hex(.ink))\">".utf8)
            bytes.append(xml: text)
            bytes.append("</text>\n")
        }
    }

    private static func pair(_ point: PlotPoint, _ bytes: inout [UInt8]) {
        bytes.append(real: point.x, decimals: 1)
        bytes.append(",")
        bytes.append(real: point.y, decimals: 1)
    }

    private static func hex(_ color: PlotColor) -> String {
        "#"
            + [color.red, color.green, color.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
