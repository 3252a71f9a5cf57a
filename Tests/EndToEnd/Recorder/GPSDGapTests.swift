#if Command
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailTransport

/// `taffrail record` from a real gpsd that goes, or whose receiver does, in the middle of a recording.
@Suite(
    .mayBlock, .serialized, .enabled(if: TestData.isThere, "\(TestData.reason)"),
    .enabled(if: Program.areThere("gpsd", "gpsdctl"), "gpsd is not installed (gpsd, gpsd-clients)"))
struct GPSDGapTests {
    let folder: TemporaryDirectory
    let port: Int
    let recorder: Program

    init() throws {
        folder = TemporaryDirectory()
        port = try freePort()
        recorder = try Program(
            ["record", "--from", "gpsd://127.0.0.1:\(port)", "--directory", folder.file("drives")], in: folder)
    }

    /// How often a string occurs in the current recording.
    private func count(_ text: String) -> Int {
        folder.recordings("drives").reduce(0) { $0 + folder.text("drives/\($1)").ranges(of: text).count }
    }

    private var fixes: Int { count("\"type\":\"location\"") }
    /// Whether a gap is recorded after more than ten fixes; there may be one before them if the test is delayed.
    private var hasGapAfterFixes: Bool {
        folder.recordings("drives").contains { name in
            let parts = folder.text("drives/\(name)").components(separatedBy: "\"type\":\"location\"")
            return parts.dropFirst(11).contains { part in Self.gaps.contains { part.contains($0) } }
        }
    }
    /// The messages about a gap; silence also if the test itself is delayed.
    private static let gaps = ["lost the connection", "nothing received"]

    /// Whether long tests are run too.
    private static let isPatient = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil

    /// Sends a receiver's log, again and again, until some more fixes are recorded.
    private func record(tries: Int = 1, _ send: ([UInt8]) -> Void) async throws {
        let before = fixes
        let bytes = try TestData.sentences("haicom-305N").flatMap { $0 }
        var isRecorded = false
        for _ in 0..<tries where !isRecorded {
            isRecorded = await eventually {
                send(bytes)
                // A receiver's interval, which is part of the input: gpsd and a terminal lose data that arrives faster
                // than they read, and the fixes of one log take some time to be recorded.
                try? await Task.sleep(for: .milliseconds(200))
                return fixes > before + 10
            }
        }
        #expect(isRecorded, "\(folder.text("errors"))")
    }

    /// Ends the recording: complete, with fixes, a reported gap, and fixes.
    private func finish() async throws {
        recorder.send(SIGTERM)
        #expect(await recorder.wait() == 0)
        let events = try folder.events("drives")
        let hasGap = events.indices.contains { index in
            guard let error = events[index].error, error.code == 0 else { return false }
            return Self.gaps.contains { error.description.contains($0) }
                && events[..<index].compactMap(\.location).count > 10
                && events[index...].compactMap(\.location).count > 10
        }
        #expect(hasGap)
        #expect(folder.recordings("drives").count == 1)
    }

    @Test func `a gpsd that is killed and restarted is a gap in the recording`() async throws {
        let receiver = try StreamServer(host: "127.0.0.1", port: 0)
        defer { receiver.close(timeout: .zero) }
        let arguments = ["-N", "-n", "-b", "-S", "\(port)", "tcp://127.0.0.1:\(receiver.port)"]
        let daemon = try Program(arguments, of: "gpsd", in: folder)
        try await record { receiver.send($0) }
        daemon.kill()
        #expect(await eventually { hasGapAfterFixes })
        let other = try Program(arguments, of: "gpsd", in: folder)
        try await record { receiver.send($0) }
        try await finish()
        other.kill()
    }

    @Test func `a receiver that is unplugged and plugged in again is a gap in the recording`() async throws {
        var receiver: Terminal? = try Terminal()
        receiver?.makeRaw()
        let control = folder.file("control")
        let daemon = try Program(
            ["-N", "-n", "-b", "-S", "\(port)", "-F", control, try #require(receiver?.path)], of: "gpsd", in: folder)
        let send = { (bytes: [UInt8]) in
            // A line has a small buffer; data that does not fit is lost, as on a real one.
            _ = receiver.map { write($0.descriptor, bytes, bytes.count) }
            _ = receiver?.read()
        }
        try await record(send)
        // What udev does when a line is removed and added.
        let name = try #require(receiver?.path)
        receiver = nil
        let unplug = try await Program.run(["remove", name], of: "gpsdctl", environment: ["GPSD_SOCKET": control])
        #expect(unplug.code == 0, "\(unplug.errors)")
        #expect(await eventually { hasGapAfterFixes }, "\(folder.text("errors"))")
        let again = try Terminal()
        again.makeRaw()
        receiver = again
        let plug = try await Program.run(["add", again.path], of: "gpsdctl", environment: ["GPSD_SOCKET": control])
        #expect(plug.code == 0, "\(plug.errors)")
        try await record(send)
        try await finish()
        daemon.kill()
    }

    @Test(.enabled(if: isPatient, "gpsd takes a minute or two for it: TAFFRAIL_SOAK=1"))
    func `a receiver that is plugged in again is found without a notification of gpsd`() async throws {
        let name = folder.file("gps0")
        let plug = { () throws -> Terminal in
            let terminal = try Terminal()
            terminal.makeRaw()
            try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: terminal.path)
            return terminal
        }
        var receiver: Terminal? = try plug()
        let daemon = try Program(["-N", "-n", "-b", "-S", "\(port)", name], of: "gpsd", in: folder)
        let send = { (bytes: [UInt8]) in
            _ = receiver.map { write($0.descriptor, bytes, bytes.count) }
            _ = receiver?.read()
        }
        try await record(send)
        receiver = nil
        unlink(name)
        #expect(await eventually { count("nothing received") > 0 }, "\(folder.text("errors"))")
        receiver = try plug()
        // gpsd checks a dead line again up to 64 s after the loss, on the next request.
        try await record(tries: 2, send)
        try await finish()
        daemon.kill()
    }
}
#endif
