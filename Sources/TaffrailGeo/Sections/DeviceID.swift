internal import Taffrail
internal import TaffrailText

/// A name of this machine for receivers that does not disclose its machine id.
public enum DeviceID {
    /// The application in the hash, in the form that systemd's tools accept.
    static let application = "f3defda42fde479a8cd0ce1124bf37a1"

    /// A hash of the machine id for this application, 32 hexadecimal digits, as printed by
    /// `systemd-id128 machine-id --app-specific=f3defda42fde479a8cd0ce1124bf37a1`. It stays the same until the system
    /// is reinstalled.
    ///
    /// - Returns: `nil` for a machine without an id, such as some containers.
    public static var machine: String? { machine(["/etc/machine-id", "/var/lib/dbus/machine-id"]) }

    static func machine(_ paths: [String]) -> String? {
        for path in paths {
            guard let text = try? FileSource(path: path).readAll(limit: 64), let id = bytes(text.prefix { $0 > 32 }),
                let application = bytes(application.utf8)
            else { continue }
            var hash = Array(SHA256.authentication(of: application, key: id)[..<16])
            // Marked as a random UUID of RFC 9562, as systemd does.
            hash[6] = hash[6] & 0x0F | 0x40
            hash[8] = hash[8] & 0x3F | 0x80
            return HexText.string(hash)
        }
        return nil
    }

    /// Returns the 16 bytes of 32 hexadecimal digits that are not all 0.
    private static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        let bytes = HexText.bytes(text.filter { $0 != UInt8(ascii: "-") }, count: 16)
        return bytes?.contains { $0 != 0 } == true ? bytes : nil
    }
}
