import Foundation
import Glibc
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording

extension TemporaryDirectory {
    /// The names of the recordings in a subdirectory.
    func recordings(_ name: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: file(name))) ?? []
        return names.filter { $0.hasPrefix("geo_log_") && $0.hasSuffix(".json") }.sorted()
    }

    /// The number of events according to the metadata of the recordings in a subdirectory, also while one is being
    /// written.
    func count(_ name: String) -> Int { recordings(in: name).reduce(0) { $0 + $1.eventCount } }

    /// The events of all recordings in a subdirectory, none of which is being written; each must be intact, also for
    /// Foundation's reader.
    func events(_ name: String) throws -> [GeoEvent] {
        var events: [GeoEvent] = []
        for recording in recordings(name) {
            let path = file(name) + "/" + recording
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
            let whole = try #require(json as? [String: Any])
            let count = (whole["events"] as? [Any])?.count
            let metadata = try #require(whole["metadata"] as? [String: Any])
            #expect(metadata["eventCount"] as? Int == count, "\(recording)")
            #expect(try RecordingReport(checking: path).isIntact, "\(recording)")
            var reader = try RecordingReader(path: path)
            while let event = try reader.next() { events.append(event.event) }
        }
        return events
    }
}

/// A receiver that goes north by about 18.5 m a second.
enum Receiver {
    static func checked(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count == 1 ? "0" + sum : sum)\r\n"
    }

    /// The sentences of some seconds from 2026-01-05 14:30:00 UTC on.
    static func sentences(_ seconds: Range<Int>) -> String {
        seconds.map { second in
            let digits = { (number: Int, width: Int) in
                String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
            }
            let time =
                "\(digits(14 + (30 + second / 60) / 60, 2))\(digits((30 + second / 60) % 60, 2))\(digits(second % 60, 2)).00"
            let minutes = "40.\(digits(second * 100, 5))"
            return checked("GPRMC,\(time),A,55\(minutes),N,01234.09800,E,36.0,0.0,050126,,,A")
                + checked("GPGGA,\(time),55\(minutes),N,01234.09800,E,1,08,1.0,10.0,M,40.0,M,,")
        }.joined()
    }
}

/// A terminal: data written to our end can be read from the device, and vice versa.
final class Terminal {
    let descriptor: Int32
    /// The device.
    let path: String

    init() throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: UInt32 = 0
        var locked: Int32 = 0
        // TIOCGPTN and TIOCSPTLCK.
        guard descriptor >= 0, ioctl(descriptor, 0x8004_5430, &number) == 0,
            ioctl(descriptor, 0x4004_5431, &locked) == 0
        else { throw POSIXError(.ENODEV) }
        path = "/dev/pts/\(number)"
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Passes bytes unchanged, and lets every program open the device: gpsd soon drops its privileges.
    func makeRaw() {
        chmod(path, 0o666)
        let device = open(path, O_RDWR | O_NOCTTY)
        var settings = termios()
        tcgetattr(device, &settings)
        cfmakeraw(&settings)
        tcsetattr(device, TCSANOW, &settings)
        close(device)
    }

    /// Sends bytes; waits if the other side is slow.
    func send(_ bytes: [UInt8]) async {
        var rest = bytes[...]
        #expect(
            await eventually {
                _ = read()
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                rest = rest.dropFirst(max(0, count))
                return rest.isEmpty
            })
    }

    /// The data received so far, without waiting.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }
}
