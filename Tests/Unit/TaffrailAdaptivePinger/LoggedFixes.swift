import Foundation
import TaffrailTestSupport

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailText

/// The fixes in the log file of a program, from which the reference computes its pings.
enum LoggedFixes {
    /// All of `logs/app.log`, in its order.
    static func all(in folder: TemporaryDirectory) -> [Location] {
        ((try? folder.bytes("logs/app.log")) ?? []).withUnsafeBytes { bytes in
            var fixes: [Location] = []
            var start = 0
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let end = ByteSearch.firstIndex(of: 0x0A, in: rest) ?? rest.count
                if let fix = fix(UnsafeRawBufferPointer(rebasing: rest[..<end])) { fixes.append(fix) }
                start += end + 1
            }
            return fixes
        }
    }

    private static let event = Array("\"geo.location\"".utf8)

    private static func fix(_ line: UnsafeRawBufferPointer) -> Location? {
        guard event.withUnsafeBytes({ ByteSearch.isFound($0, in: line) }), let base = line.baseAddress,
            let object = try? JSONSerialization.jsonObject(with: Data(bytes: base, count: line.count)),
            let record = object as? [String: Any], let values = record["attributes"] as? [String: Any]
        else { return nil }
        let attributes = values.compactMap { key, value -> LogValueEntry? in
            if let text = value as? String {
                return RFC3339.timestamp(text).map { LogValueEntry(key, .date($0)) }
                    ?? LogValueEntry(key, .string(text))
            }
            return (value as? Double).map { LogValueEntry(key, .double($0)) }
        }
        return Location(attributes: attributes, received: Timestamp(nanoseconds: 0))
    }
}

/// A ping as `taffrail serve` has logged it.
struct ReceivedPing: Equatable {
    var time: Timestamp?
    var mode: String
    var latitude: Double

    init?(_ record: [String: Any]) {
        guard record["event"] as? String == "geo.location", let values = record["attributes"] as? [String: Any],
            let time = values["taffrail.geo.time"] as? String, let mode = values["taffrail.ping.mode"] as? String,
            let latitude = values["geo.location.lat"] as? Double
        else { return nil }
        self.time = RFC3339.timestamp(time)
        self.mode = mode
        self.latitude = latitude
    }

    /// As ``PingReference`` has it.
    var line: String { "\(time?.nanoseconds ?? 0) \(mode)" }
}

extension PingReference {
    /// The pings of fixes: the time of each in nanoseconds, and its mode.
    func pings(_ fixes: [Location]) throws -> [String] {
        try decisions(fixes).compactMap { line in
            let words = line.split(separator: " ")
            return Int64(words[2]).map { "\($0) \(words[0])" }
        }
    }
}
