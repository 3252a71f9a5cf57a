import Foundation
import Synchronization
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailTracks
@testable import TaffrailText

/// Our replays in the hands of gpsd 3.22 and its clients.
@Suite(
    .mayBlock,
    .enabled(
        if: ["gpsd", "gpspipe", "gpsfake"].allSatisfy { Program.path($0) != nil },
        "gpsd is not installed (gpsd, gpsd-clients)"))
struct GPSDReplayTests {
    /// The positions that gpspipe has written.
    static func reports(_ text: String) -> [PositionReport] {
        var parser = GPSDParser()
        var reports: [PositionReport] = []
        parser.read(text.utf8) { if case .position(let report) = $0 { reports.append(report) } }
        return reports
    }

    /// The deviations of one fix from the expected one; empty if there are none.
    static func differences(_ seen: Location, _ wanted: Location, simulated: Bool = true) -> [String] {
        var wrong: [String] = []
        func check(_ name: String, _ one: Double?, _ other: Double?, _ tolerance: Double) {
            guard let other else { return }
            if one.map({ abs($0 - other) <= tolerance }) != true { wrong.append("\(name) \(one ?? .nan) for \(other)") }
        }
        check("latitude", seen.coordinate.latitude, wanted.coordinate.latitude, 1e-7)
        check("longitude", seen.coordinate.longitude, wanted.coordinate.longitude, 1e-7)
        check("altitude", seen.altitude, wanted.altitude, 0.01)
        check("ellipsoidal altitude", seen.ellipsoidalAltitude, wanted.ellipsoidalAltitude, 0.01)
        check("speed", seen.speed, wanted.speed, 0.001)
        check("course", seen.course, wanted.course, 0.001)
        check("accuracy", seen.horizontalAccuracy, wanted.horizontalAccuracy, 0.01)
        if simulated && !seen.isSimulated { wrong.append("status") }
        return wrong
    }

    /// Compares all fixes: each one once, in order, and right.
    static func compare(_ reports: [PositionReport], _ drive: Drive) {
        let seen = reports.compactMap(\.location)
        let wanted = drive.locations
        #expect(seen.map(\.timestamp) == wanted.map(\.timestamp))
        let wrong = zip(seen, wanted).flatMap { differences($0, $1) }
        #expect(wrong.isEmpty, "\(wrong.prefix(5)) and \(max(0, wrong.count - 5)) more")
        #expect(Drive.runs(reports.drop { $0.location == nil }.map { $0.location != nil }) == drive.runs)
    }

    enum Way: String, CaseIterable, Sendable { case tcp, udp, pty }

    @Test(arguments: Way.allCases) func `a replay passes through gpsd, fix by fix`(way: Way) async throws {
        let folder = TemporaryDirectory()
        let drive = Drive(60, rate: 4)
        try drive.write(to: folder.file("drive.json"))
        let text = try await blocking { try Self.replay(way, folder) }
        Self.compare(Self.reports(text), drive)
    }

    /// Replays a drive into a separate gpsd, and returns the output of gpspipe.
    private static func replay(
        _ way: Way, _ folder: TemporaryDirectory, until last: String = "\"time\":\"2026-01-05T14:30:14.750Z\""
    ) throws -> String {
        let (port, udp) = (try freePort(), try freePort())
        let line: any NMEALine
        let source: String
        switch way {
        case .tcp:
            let server = try NMEAServerLine(host: "127.0.0.1", port: 0)
            (line, source) = (server, "tcp://127.0.0.1:\(server.port)")
        case .udp:
            line = try NMEADatagramLine(host: "127.0.0.1", port: udp)
            source = "udp://127.0.0.1:\(udp)"
        case .pty:
            line = try NMEATerminalLine(link: folder.file("line"))
            source = folder.file("line")
        }
        let output = NMEAOutput(line)
        defer { output.close() }
        let daemon = try Program(["-N", "-n", "-S", "\(port)", source], of: "gpsd", in: folder)
        defer { daemon.kill() }
        let interrupt = Interrupt()
        guard waited(until: { output.listeners != 0 }) else { return "gpsd did not come" }
        // gpspipe gives up if no server is listening yet.
        var pipe: Program?
        defer { pipe?.kill() }
        for _ in 0..<50 {
            let started = try Program(["-w", "127.0.0.1:\(port)"], of: "gpspipe", in: folder, output: "pipe")
            pipe = started
            _ = waited { folder.text("pipe").contains("\"WATCH\"") || !started.isRunning }
            if started.isRunning { break }
        }
        let player = try ReplayPlayer(ReplayOptions(path: folder.file("drive.json"), rate: 4))
        try player.run(prepare: { output.prepare(for: $0, interrupt) }) { try? output.send($0) }
        output.waitUntilDrained(interrupt, timeout: .seconds(5))
        // It may write a line in several parts.
        _ = waited {
            let text = folder.text("pipe")
            return text.contains(last) && text.hasSuffix("\n")
        }
        return folder.text("pipe")
    }

    /// Writes a drive whose altitude is known only for five of ten positions.
    private static func writeAltitudes(to path: String, isTimed: Bool) throws -> [RecordedEvent] {
        let events = Drive(60, rate: 4, tunnels: false).events.enumerated().map { index, event in
            var event = event
            guard case .location(var location) = event.event else { return event }
            if index / 5 % 2 == 1 {
                location.altitude = nil
                location.ellipsoidalAltitude = nil
                location.verticalAccuracy = nil
            }
            if !isTimed { location.extra.hasNoTime = true }
            event.event = .location(location)
            return event
        }
        let format = try #require(TrackFormat(path: path))
        let writer = format.writer(try TextOutput(path: path))
        try writer.begin(nil, name: "")
        for event in events { try writer.append(event) }
        try writer.finish()
        return events
    }

    @Test(arguments: [true, false])
    func `positions that lose and regain their altitude keep their mode through gpsd`(isTimed: Bool) async throws {
        let folder = TemporaryDirectory()
        let events = try Self.writeAltitudes(to: folder.file("drive.json"), isTimed: isTimed)
        let last = isTimed ? "\"time\":\"2026-01-05T14:30:14.750Z\"" : "\"lat\":-55.492743"
        let text = try await blocking { try Self.replay(.tcp, folder, until: last) }
        let reports = Self.reports(text).filter { $0.location != nil }
        #expect(reports.map(\.mode) == events.map { $0.event.location?.altitude == nil ? .twoD : .threeD })
        let rounded = { (value: Double?) in value.map { ($0 * 10).rounded() } }
        #expect(reports.map { rounded($0.location?.altitude) } == events.map { rounded($0.event.location?.altitude) })
        // Taffrail's reader is not misled by sentences meant for gpsd.
        var bytes: [UInt8] = []
        var hadAltitude = false
        for location in events.compactMap(\.event.location) {
            NMEAWriter().append(location, losesAltitude: hadAltitude && location.altitude == nil, to: &bytes)
            hadAltitude = location.altitude != nil
        }
        var parser = NMEAParser()
        var modes: [PositionReport.Mode] = []
        parser.read(bytes) { modes.append($0.mode) }
        parser.finish { modes.append($0.mode) }
        #expect(modes == reports.map(\.mode))
    }

    @Test func `gpspipe on our own server loses nothing at all`() async throws {
        let folder = TemporaryDirectory()
        let drive = Drive(3_000, rate: 10)
        try drive.write(to: folder.file("drive.json"))
        let text = try await blocking {
            let server = try GPSDServer(host: "127.0.0.1", port: 0)
            defer { server.close() }
            let pipe = try Program(["-w", "127.0.0.1:\(server.port)"], of: "gpspipe", in: folder, output: "pipe")
            let interrupt = Interrupt()
            guard waited(until: { server.listeners == 1 }) else { return "gpspipe did not come" }
            let player = try ReplayPlayer(
                ReplayOptions(path: folder.file("drive.json"), isAsFastAsPossible: true))
            try player.run { server.send($0) }
            server.waitUntilDrained(interrupt, timeout: .seconds(20))
            _ = waited {
                let text = folder.text("pipe")
                return text.contains("\"time\":\"2026-01-05T14:34:59.900Z\"") && text.hasSuffix("\n")
            }
            pipe.kill()
            return folder.text("pipe")
        }
        let reports = Self.reports(text)
        #expect(text.hasPrefix("{\"class\":\"VERSION\""))
        Self.compare(reports, drive)
        // What gpsd's protocol can express and NMEA cannot.
        let wrong = zip(reports.compactMap(\.location), drive.locations).filter {
            abs(($0.verticalAccuracy ?? 0) - ($1.verticalAccuracy ?? 0)) > 0.001
        }
        #expect(wrong.isEmpty)
    }

    /// The output of gpsfake for an exported drive.
    private static func fake(_ folder: TemporaryDirectory) throws -> (code: CInt, text: String) {
        // On a busy machine gpsfake may give up before its gpsd has come up, or find its port taken.
        for number in 1... {
            let port = try freePort()
            let fake = try Program(
                ["-1", "-q", "-c", "0.02", "-p", "-P", "\(port)", folder.file("drive.nmea")], of: "gpsfake",
                in: folder, output: "fake\(number)")
            let (code, text) = (fake.end().code, folder.text("fake\(number)"))
            if code == 0 || number == 5 || text.contains("\"class\":\"TPV\"") { return (code, text) }
            print("gpsfake has ended with \(code) before its first position:", text.suffix(500))
        }
        return (-1, "")
    }

    @Test(arguments: [true, false])
    func `gpsfake on our NMEA export sees altitudes that come and go`(isTimed: Bool) async throws {
        let folder = TemporaryDirectory()
        let events = try Self.writeAltitudes(to: folder.file("drive.nmea"), isTimed: isTimed)
        let (code, text) = try await blocking { try Self.fake(folder) }
        #expect(code == 0, "\(text.suffix(500))")
        // By latitude; the last report of an epoch counts.
        func key(_ location: Location) -> Int { Int((location.coordinate.latitude * 1e6).rounded()) }
        var last: [Int: PositionReport] = [:]
        for report in Self.reports(text) { if let location = report.location { last[key(location)] = report } }
        for (index, location) in events.compactMap(\.event.location).enumerated() {
            let seen = last[key(location)]
            #expect(seen?.mode == (location.altitude == nil ? .twoD : .threeD), "\(index)")
            #expect(abs((seen?.location?.altitude ?? 0) - (location.altitude ?? 0)) < 0.01, "\(index)")
        }
    }

    @Test func `gpsfake on our NMEA export sees every fix and every period without one`() async throws {
        let folder = TemporaryDirectory()
        let drive = Drive(60, rate: 4)
        try drive.write(to: folder.file("drive.nmea"))
        let (code, text) = try await blocking { try Self.fake(folder) }
        #expect(code == 0, "\(text.suffix(500))")
        // gpsd reports an epoch several times if the position precedes the rest: the last one counts.
        var last: [Timestamp: Location] = [:]
        let reports = Self.reports(text)
        for report in reports { if let time = report.time, let location = report.location { last[time] = location } }
        #expect(last.keys.sorted() == drive.locations.map(\.timestamp))
        let wrong = drive.locations.flatMap { wanted in
            last[wanted.timestamp].map { Self.differences($0, wanted, simulated: false) } ?? ["missing"]
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
        #expect(Drive.runs(reports.drop { $0.location == nil }.map { $0.location != nil }) == drive.runs)
    }

    @Test(.enabled(if: ["tmux", "cgps"].allSatisfy { Program.path($0) != nil }, "no tmux or cgps (tmux, gpsd-tools)"))
    func `cgps shows a replay, its tunnel and its loop`() async throws {
        let folder = TemporaryDirectory()
        try Drive(40, rate: 4).write(to: folder.file("drive.json"))
        let (fix, none, again) = try await blocking { () -> (Bool, Bool, Bool) in
            let server = try GPSDServer(host: "127.0.0.1", port: 0)
            let screen = try Terminal("cgps -s 127.0.0.1:\(server.port)", in: folder)
            guard waited(until: { server.listeners == 1 }) else { return (false, false, false) }
            let player = try ReplayPlayer(
                ReplayOptions(path: folder.file("drive.json"), rate: 1, loops: true, startsPaused: true))
            let isOver = Interrupt()
            guard
                DedicatedThread.start({
                    try? player.run { server.send($0) }
                    isOver.trigger()
                })
            else { return (false, false, false) }
            player.step(10)
            let fix = waited { screen.text.contains("3D") && screen.text.contains("55.4988") }
            player.step(3)
            let none = waited { screen.text.contains("NO FIX") }
            player.seek(to: .event(35))
            player.step(5)
            let again = waited { screen.text.contains("3D") }
            player.stop()
            _ = isOver.wait(timeout: .seconds(10))
            screen.close()
            server.close()
            return (fix, none, again)
        }
        #expect(fix && none && again)
    }
}

/// A program on a terminal, which tmux is.
final class Terminal: Sendable {
    private let socket: String

    init(_ command: String, in folder: TemporaryDirectory) throws {
        socket = folder.file("tmux")
        let result = try Program.run(
            ["-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", command], of: "tmux")
        guard result.code == 0 else { throw POSIXError(.EIO) }
    }

    /// The contents of the screen.
    var text: String { (try? Program.run(["-S", socket, "capture-pane", "-p"], of: "tmux").output) ?? "" }

    /// Presses keys, as tmux names them.
    /// Sends keys; again if tmux could not be reached, as on a busy machine.
    func press(_ keys: String...) {
        _ = waited { (try? Program.run(["-S", socket, "send-keys"] + keys, of: "tmux").code) == 0 }
    }

    func close() { _ = try? Program.run(["-S", socket, "kill-server"], of: "tmux") }

    deinit { close() }
}
