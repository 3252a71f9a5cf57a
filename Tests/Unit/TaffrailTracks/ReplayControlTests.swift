import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailText
@testable import TaffrailTracks
@testable import TaffrailTransport

@Suite(.mayBlock) struct ReplayControlTests {
    static func player(_ folder: TemporaryDirectory, _ count: Int = 1_000) throws -> ReplayPlayer {
        try SampleDrive.write(count, to: folder.file("a.json"))
        return try ReplayPlayer(ReplayOptions(path: folder.file("a.json"), startsPaused: true))
    }

    static func answer(_ line: String, _ player: ReplayPlayer) -> String {
        String(
            decoding: ControlServer.answer(Array(line.utf8)) { try ReplayControl.execute($1, player) }, as: UTF8.self)
    }

    @Test(arguments: [
        ("{}", "command: is missing"), ("[1]", "expected a command as an object"),
        ("{\"command\":\"fly\"}", "not \\\"fly\\\""),
        ("{\"command\":\"rate\"}", "rate: is missing"), ("{\"command\":\"rate\",\"rate\":0}", "from 0.01 to 10000"),
        ("{\"command\":\"seek\"}", "requires \\\"to\\\" or"),
        ("{\"command\":\"seek\",\"to\":\"noon\"}", "not a position"),
        ("{\"command\":\"seek\",\"to\":-1}", "from 0"), ("{\"command\":\"step\",\"count\":0}", "from 1"),
        ("{\"command\":\"play\"} x", "instead of the end"), ("{\"speed\":1}", "\\\"speed\\\" is unknown"),
        ("{\"comm", "unterminated"),
    ])
    func `an invalid command is answered with the problem`(line: String, reason: String) throws {
        let folder = TemporaryDirectory()
        let answer = Self.answer(line, try Self.player(folder, 2))
        #expect(answer.hasPrefix("{\"ok\":false,\"error\":") && answer.hasSuffix("}\n"))
        #expect(answer.contains(reason), "\(answer)")
    }

    @Test func `a seek by any number of seconds is accepted`() throws {
        let folder = TemporaryDirectory()
        let player = try Self.player(folder, 2)
        for seconds in ["1e300", "-1e300"] {
            let answer = Self.answer("{\"command\":\"seek\",\"by\":\(seconds)}", player)
            #expect(answer.hasPrefix("{\"ok\":true"), "\(answer)")
        }
        try player.setRate(10_000)
        player.play()
        var jumps = 0
        try player.run { if $0.event.error?.replayJump == .seek { jumps += 1 } }
        #expect(jumps == 2 && player.status.replayed == 2)
    }

    @Test func `a replay is steered through its socket`() throws {
        let folder = TemporaryDirectory()
        let player = try Self.player(folder)
        let path = folder.file("control")
        let control = try ReplayControl(player, socket: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(throws: SystemError.self) { try ReplayControl(player, socket: path) }
        let isOver = Locked(false)
        #expect(
            DedicatedThread.start {
                try? player.run { _ in }
                isOver.withLock { $0 = true }
            })
        let client = try #require(LocalClient(path))
        func ask(_ line: String) throws -> [String: Any] {
            let answer = try #require(client.ask(line))
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        }
        while try ask("{\"command\":\"status\"}")["state"] as? String == "waiting" { poll(nil, 0, 2) }
        var status = try ask("{\"command\":\"step\",\"count\":3}")
        while status["event"] as? Int != 3 { status = try ask("{\"command\":\"status\"}") }
        #expect(status["state"] as? String == "paused" && status["time"] as? Double == 2)
        status = try ask("{\"command\":\"seek\",\"to\":500}")
        #expect(status["ok"] as? Bool == true && status["time"] as? Double == 500 && status["events"] as? Int == 1_000)
        status = try ask("{\"command\":\"seek\",\"by\":-100}")
        #expect(status["time"] as? Double == 400)
        // Farther than any time: it ends at the ends of the track.
        status = try ask("{\"command\":\"seek\",\"by\":-1e300}")
        #expect(status["ok"] as? Bool == true && status["time"] as? Double == 0)
        status = try ask("{\"command\":\"seek\",\"to\":400}")
        #expect(status["time"] as? Double == 400)
        status = try ask("{\"command\":\"rate\",\"rate\":10000}")
        #expect(status["rate"] as? Double == 10_000)
        #expect(try ask("{\"command\":\"play\"}")["state"] as? String != "paused")
        while !isOver.withLock({ $0 }) { poll(nil, 0, 2) }
        #expect(player.status.state == .ended && player.status.replayed == 603)
        control.close()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a socket that a dead program left is replaced, and a file is not`() throws {
        let folder = TemporaryDirectory()
        let player = try Self.player(folder, 2)
        let path = folder.file("control")
        let dead = try #require(LocalClient.bind(path))
        close(dead)
        let control = try ReplayControl(player, socket: path)
        control.close()
        try folder.write("mine", to: "control")
        #expect(throws: SystemError.self) { try ReplayControl(player, socket: path) }
        #expect(String(decoding: try folder.bytes("control"), as: UTF8.self) == "mine")
    }
}
