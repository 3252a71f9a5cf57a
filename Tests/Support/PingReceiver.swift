internal import Foundation
internal import Taffrail

/// The program `Tests/Reference/ping-receiver.py`, which can be killed and restarted at the same port.
package final class PingReceiver {
    private let folder: TemporaryDirectory
    private let faults: Int
    private let reserved: ReservedPort
    /// Its port, which it keeps while it is down.
    package var port: Int { reserved.number }
    private var program: Program?

    /// A ping as it was received.
    package struct Received: Sendable, Hashable {
        package var device: String
        package var time: String
        package var latitude: Double
        package var longitude: Double
        package var mode: String
    }

    /// - Parameter faults: Of this many requests, one is rejected, and the answer to another is lost; 0: none.
    package init(in folder: TemporaryDirectory, faults: Int = 0) async throws {
        self.folder = folder
        self.faults = faults
        reserved = try ReservedPort()
        try await start()
    }

    package static var isPossible: Bool { Program.path("python3") != nil }

    package var endpoint: String { "http://127.0.0.1:\(port)/ping" }

    /// Starts the program, at the same port as before.
    package func start() async throws {
        try? FileManager.default.removeItem(atPath: folder.file("port"))
        let script = Repository.root.appending(path: "Tests/Reference/ping-receiver.py").path
        program = try Program(
            [script, folder.file("received"), "\(port)", "\(faults)"], of: "python3", in: folder, output: "port",
            errors: "receiver-errors")
        let isStarted = await eventually { Int(folder.text("port").trimmingCharacters(in: .newlines)) != nil }
        guard isStarted else { throw SystemError("start a receiver: \(folder.text("receiver-errors"))", code: 5) }
    }

    package func kill() { program?.kill() }

    /// The requests that were confirmed, or whose answer was lost: their keys and bodies, in order.
    package var requests: [(key: String, body: String)] {
        folder.text("received.requests").split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return (String(parts[0]), String(parts.last ?? ""))
        }
    }

    /// The received pings, in order.
    package var pings: [Received] {
        folder.text("received").split(separator: "\n").compactMap { line in
            guard let ping = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any],
                let device = ping["deviceId"] as? String, let time = ping["timestamp"] as? String,
                let latitude = ping["latitude"] as? Double, let longitude = ping["longitude"] as? Double,
                let mode = ping["mode"] as? String
            else { return nil }
            return Received(device: device, time: time, latitude: latitude, longitude: longitude, mode: mode)
        }
    }
}
