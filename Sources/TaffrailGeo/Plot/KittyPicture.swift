/// A picture in the terminal graphics protocol of kitty: a PNG in base64, in pieces.
enum KittyPicture {
    /// How much of a PNG goes into one piece, whose base64 may have 4096 bytes.
    private static let piece = 3072

    static func bytes(png: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: png.count, by: piece) {
            let end = min(start + piece, png.count)
            // Nobody waits for an answer (q=2).
            let head = start == 0 ? "a=T,f=100,q=2," : ""
            bytes += "\u{1B}_G\(head)m=\(end < png.count ? 1 : 0);".utf8
            append(base64: png[start..<end], to: &bytes)
            bytes += "\u{1B}\\".utf8
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func append(base64 bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        var rest = bytes
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
    }
}
