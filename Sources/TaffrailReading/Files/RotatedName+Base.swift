internal import Taffrail

extension RotatedName {
    /// Returns the base name of the log of a rotated file; `nil` for any other name.
    static func base(of name: String) -> String? {
        var name = name
        return name.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let length = bytes.count - compression(of: bytes).rawValue.utf8.count
            // From the right: a log may itself be named like a rotated file.
            var index = length - middleLength - 1
            while index > 0 {
                let end = index + 1 + middleLength
                if bytes[index] == UInt8(ascii: "-"),
                    middle(UnsafeRawBufferPointer(rebasing: bytes[(index + 1)..<end])) != nil
                {
                    let base =
                        String(decoding: bytes[..<index], as: UTF8.self)
                        + String(decoding: bytes[end..<length], as: UTF8.self)
                    if let log = LogPath(ofLog: "/" + base), RotatedName(bytes, of: log) != nil { return base }
                }
                index -= 1
            }
            return nil
        }
    }
}
