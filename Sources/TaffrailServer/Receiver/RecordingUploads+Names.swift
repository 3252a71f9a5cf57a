internal import Taffrail
internal import TaffrailText

/// The names of recordings and of the directories of devices.
extension RecordingUploads {
    /// Returns the name in a path.
    static func name(in path: String) throws(Problem) -> String {
        let name = path.dropFirst(prefix.count)
        let isPlain = name.utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
        guard path.hasPrefix(prefix), isPlain, name.utf8.count <= 128, !name.hasPrefix("."), !name.hasPrefix("-"),
            name.hasSuffix(".json") || name.hasSuffix(".json.gz")
        else {
            throw .bad("a recording's name consists of letters, digits, - _ and ., and ends with .json or .json.gz")
        }
        return String(name)
    }

    /// Returns the subdirectory of a device's recordings; `nil`: none.
    ///
    /// A client whose token belongs to a device can neither use up names of other devices nor find their recordings.
    static func directoryName(of device: String?) -> String? {
        guard let device else { return nil }
        guard !device.isEmpty else { return "_" }
        // Neither a hidden name, nor an option, nor one with the extension of a recording.
        let name = PercentText.encoded(device, isUppercase: false) { $0 == UInt8(ascii: "-") && $1 > 0 }
        guard name.utf8.count > 200 else { return name }
        // A file name has a limit of 255 bytes.
        return name.prefix(160) + "-" + HexText.string(SHA256.hash(Array(device.utf8)).prefix(16))
    }
}
