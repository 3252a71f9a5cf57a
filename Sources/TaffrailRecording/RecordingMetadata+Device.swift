public import Taffrail
internal import TaffrailText

extension RecordingMetadata {
    /// Returns metadata for a recording that starts now on this device: its host name and its operating system.
    public static func forCurrentDevice(at time: Timestamp = .now) -> RecordingMetadata {
        RecordingMetadata(recordedAt: time, device: Environment.host, systemVersion: systemName)
    }

    /// `PRETTY_NAME` of `os-release`, else the name of the kernel.
    private static var systemName: String {
        for path in ["/etc/os-release", "/usr/lib/os-release"] {
            guard let text = try? FileSource(path: path).readAll(limit: 65_536) else { continue }
            for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
                guard line.hasPrefix("PRETTY_NAME=") else { continue }
                let value = line.dropFirst("PRETTY_NAME=".count)
                let quotes = value.first.map { $0 == "\"" || $0 == "'" } ?? false
                return String(quotes && value.count > 1 ? value.dropFirst().dropLast() : value)
            }
        }
        return Environment.kernel
    }
}
