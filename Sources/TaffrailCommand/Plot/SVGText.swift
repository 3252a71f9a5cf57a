internal import TaffrailText
internal import TaffrailTracks

/// Writes a scene as SVG 1.1.
enum SVGText {
    static func bytes(_ scene: PlotScene) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(
            contentsOf: """
                <?xml version="1.0" encoding="UTF-8"?>
                <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(scene.width)" height="\(scene.height)" \
                viewBox="0 0 \(scene.width) \(scene.height)" font-family="DejaVu Sans, sans-serif">
                <rect width="100%" height="100%" fill="\(PlotColor.paper.hex)"/>

                """.utf8)
        for item in scene.items { append(item, to: &bytes) }
        bytes.append("</svg>\n")
        return bytes
    }

    private static func append(_ item: PlotScene.Item, to bytes: inout [UInt8]) {
        switch item {
        case .line(let points, let color, let width, let isDashed):
            let dashes = isDashed ? "\" stroke-dasharray=\"4 4" : ""
            bytes.append("<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke=\"")
            bytes.append(contentsOf: "\(color.hex)\(dashes)\" stroke-width=\"\(width)\" points=\"".utf8)
            append(points, to: &bytes)
            bytes.append("\"/>\n")
        case .polygon(let points, let color):
            bytes.append(contentsOf: "<polygon fill=\"\(color.hex)\" points=\"".utf8)
            append(points, to: &bytes)
            bytes.append("\"/>\n")
        case .dot(let point, let color, let radius):
            bytes.append("<circle cx=\"")
            bytes.append(real: point.x, decimals: 1)
            bytes.append("\" cy=\"")
            bytes.append(real: point.y, decimals: 1)
            bytes.append(contentsOf: "\" r=\"\(radius)\" fill=\"\(color.hex)\"/>\n".utf8)
        case .text(let text, let point, let anchor, let size):
            bytes.append("<text x=\"")
            bytes.append(real: point.x, decimals: 1)
            bytes.append("\" y=\"")
            bytes.append(real: point.y, decimals: 1)
            bytes.append(contentsOf: "\" font-size=\"\(size)\" text-anchor=\"\(anchor.rawValue)\" ".utf8)
            bytes.append(contentsOf: "fill=\"\(PlotColor.ink.hex)\">".utf8)
            bytes.append(xml: text)
            bytes.append("</text>\n")
        }
    }

    private static func append(_ points: [PlotPoint], to bytes: inout [UInt8]) {
        for (index, point) in points.enumerated() {
            if index > 0 { bytes.append(" ") }
            bytes.append(real: point.x, decimals: 1)
            bytes.append(",")
            bytes.append(real: point.y, decimals: 1)
        }
    }
}
