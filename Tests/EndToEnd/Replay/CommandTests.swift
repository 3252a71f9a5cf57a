#if Command
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailCommand
@testable import TaffrailText
@testable import TaffrailTracks
@testable import TaffrailTransport

/// `taffrail replay`, `convert` and `track`, as programs.
@Suite(.mayBlock) struct CommandTests {
    @Test func `a replay to stdout is readable by a gpsd`() throws {
        let folder = TemporaryDirectory()
        let drive = Drive(60, rate: 4)
        try drive.write(to: folder.file("drive.gpx"))
        let (code, output, errors) = try Program.run(
            ["replay", folder.file("drive.gpx"), "--to", "stdout", "--as-fast-as-possible"])
        #expect(code == 0 && errors.contains("events in"), "\(errors)")
        var parser = NMEAParser()
        var fixes: [Location] = []
        parser.read(output.utf8) { if let location = $0.location { fixes.append(location) } }
        parser.finish { if let location = $0.location { fixes.append(location) } }
        #expect(fixes.map(\.timestamp) == drive.locations.map(\.timestamp))
        #expect(fixes.count { $0.isSimulated } == fixes.count)
    }

    @Test func `a compressed recording is read, and none is written`() throws {
        let folder = TemporaryDirectory()
        let (drive, archive) = (Drive(60, rate: 4), folder.file("drive.json.gz"))
        try drive.write(to: folder.file("drive.json"))
        try Gzip.compress(folder.file("drive.json"))
        let convert = try Program.run(["convert", archive, folder.file("drive.gpx")])
        #expect(convert.code == 0, "\(convert)")
        #expect(folder.text("drive.gpx").components(separatedBy: "<trkpt").count == drive.locations.count + 1)
        let stats = try Program.run(["track", "stats", archive, "--json"])
        #expect(stats.code == 0 && stats.output.contains("\"points\":\(drive.locations.count),"), "\(stats)")
        let replay = try Program.run(["replay", archive, "--to", "stdout", "--as-fast-as-possible"])
        #expect(replay.code == 0 && replay.output.contains("GGA"), "\(replay)")
        #expect(try Program.run(["convert", archive, folder.file("copy.json.gz")]).code == 64)
        #expect(folder.names == ["drive.gpx", "drive.json.gz"])
    }

    @Test func `a replay keeps its times and reports how well`() throws {
        let folder = TemporaryDirectory()
        try Drive(20, rate: 4).write(to: folder.file("drive.json"))
        let begin = SystemClock.monotonicNanoseconds()
        let (code, _, errors) = try Program.run(["replay", folder.file("drive.json"), "--rate", "10"])
        #expect(code == 0 && errors.contains("17 events, late by p50"), "\(errors)")
        #expect(SystemClock.monotonicNanoseconds() - begin >= 475_000_000)
    }

    @Test(arguments: [
        (["replay", "DIR/none.json"], 66, "none.json"), (["replay", "DIR/torn.json"], 65, "torn.json:3: byte"),
        (["replay", "DIR/drive.json", "--rate", "0"], 64, "0.01 to 10000"),
        (["replay", "DIR/drive.json", "--to", "http://x"], 64, "is not a target"),
        (["replay", "DIR/drive.json", "--start", "noon"], 64, "noon"), (["replay", "-", "--loop"], 64, "--format"),
        (["replay", "DIR/drive.json", "--control", "/no/where"], 73, "/no/where"),
        (["replay", "DIR/drive.json", "--start", "10h"], 65, "there is nothing at or after the requested start"),
        (["replay", "DIR/drive.json", "--end", "2020-01-01T00:00:00Z"], 65, "nothing up to the requested end"),
        (["recordings", "list", "--directory", "DIR/none"], 66, "none: no such directory"),
        (["recordings", "info", "x.json", "--directory", "DIR/none"], 66, "none/x.json"),
        (["recordings", "info", "x.json", "--directory", "DIR/drive.json"], 66, "drive.json/x.json"),
        (["recordings", "export", "DIR/drive.json", "DIR/x.doc"], 64, "does not end in one of"),
        (["convert", "DIR/none.gpx", "DIR/x.json"], 66, "none.gpx"),
        (["convert", "DIR/torn.json", "DIR/x.gpx"], 65, "torn.json:3: byte"),
        (["convert", "DIR/torn.gpx", "DIR/x.json"], 65, "torn.gpx:2: byte"),
        (["convert", "DIR/drive.json", "DIR/drive.json"], 73, "drive.json"),
        (["convert", "DIR/drive.json", "DIR/no/x.gpx"], 73, "no/x.gpx"),
        (["convert", "DIR/drive.json", "DIR/x.doc"], 64, "--to"),
        (["track", "stats", "DIR/torn.gpx"], 65, "torn.gpx:2: byte"),
        (["track", "plot", "DIR/drive.json", "-o", "DIR/x.gif"], 64, ".svg, .png or .pdf"),
        (["track", "plot", "DIR/torn.json", "-o", "DIR/x.png"], 65, "torn.json:3: byte"),
    ])
    func `failures are reported, with an exit status and without a trace`(
        arguments: [String], code: Int, words: String
    ) throws {
        let folder = TemporaryDirectory()
        try Drive(20, rate: 4).write(to: folder.file("drive.json"))
        let lines = folder.text("drive.json").split(separator: "\n", omittingEmptySubsequences: false)
        try folder.write(lines[..<2].joined(separator: "\n") + "\n{\"type\":", to: "torn.json")
        try folder.write("<gpx><trk><trkseg>\n<trkpt lat=\"1\" lon=\"2\"><ele>5</", to: "torn.gpx")
        let names = folder.names
        let result = try Program.run(arguments.map { $0.replacing("DIR", with: folder.path) })
        #expect(result.code == CInt(code) && result.errors.contains(words), "\(result)")
        #expect(folder.names == names)
    }

    @Test(arguments: [
        ("a.csv", "latitude,longitude\n\n1,x\n", "a.csv:3: byte"), ("a.csv", "1,2\n3,4\n", "a.csv:1: byte"),
        ("a.csv", "latitude,longitude\n91,2\n", "a.csv:2: byte"),
        ("a.csv", "latitude,longitude\n\"1,2\n", "a.csv:3: byte"),
        (
            "a.geojson",
            "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\"geometry\":"
                + "{\"type\":\"Point\",\"coordinates\":[1e9,2]}}]}", "a.geojson:2: byte"
        ),
        ("a.geojson", String(repeating: "{\"a\":[", count: 50_000), "a.geojson:1: byte"),
        ("a.kml", "<kml><gx:Track>\n<when>nope</when></gx:Track></kml>", "a.kml:2: byte"),
        ("a.kml", "<kml>\n<Document></kml>", "a.kml:2: byte"),
        ("a.gpx", "<!DOCTYPE x [<!ENTITY a \"b\">]>\n<gpx><name>&a;</name></gpx>", "a.gpx:1: byte"),
        ("a.gpx", "<gpx>\n<trk><trkseg><trkpt lat=\"91\" lon=\"0\"/></trkseg></trk></gpx>", "a.gpx:2: byte"),
        ("a.gpx", "<gpx>\n" + String(repeating: "<a>", count: 50_000), "a.gpx:2: byte"), ("a.gpx", "", "a.gpx:1: byte"),
        ("a.nmea", "hello\n", "a.nmea: contains no NMEA sentence"),
        ("a.json", "{\"events\":[\n{\"type\":\"error\",\"relativeTime\":1e999}]}", "a.json:2: byte"),
        ("a.json", "{\"metadata\":{\"version\":\"2.0\"},\"events\":[]}", "version 2.0 is not supported"),
    ])
    func `a hostile file is an error with its offset, and leaves no remains`(
        name: String, text: String, place: String
    ) throws {
        let folder = TemporaryDirectory()
        try folder.write(text, to: name)
        let result = try Program.run(["convert", folder.file(name), folder.file("b.gpx")])
        #expect(result.code == 65 && result.errors.contains(place), "\(result.code) \(result.errors.prefix(200))")
        #expect(folder.names == [name])
        let replay = try Program.run(["replay", folder.file(name), "--as-fast-as-possible"])
        #expect(replay.code == 65 && replay.errors.contains(place), "\(replay.code) \(replay.errors.prefix(200))")
    }

    @Test(arguments: [
        ("a.csv", "latitude,longitude\n1,2\n1,x\n"),
        ("a.kml", "<kml><LineString><coordinates>2,1\n\nx,1</coordinates></LineString></kml>"),
        ("a.geojson", "{\"type\":\"LineString\",\n\"coordinates\":[[2,1],\n[2,91]]}"),
        ("a.gpx", "<gpx><trk><trkseg>\n<trkpt lat=\"1\" lon=\"2\"/>\n<trkpt lon=\"2\"/></trkseg></trk></gpx>"),
    ])
    func `a point that cannot be read is skipped with a warning that names its line`(name: String, text: String) throws
    {
        let folder = TemporaryDirectory()
        try folder.write(text, to: name)
        for arguments in [
            ["convert", folder.file(name), folder.file("b.json")],
            ["replay", folder.file(name), "--as-fast-as-possible", "--to", "stdout"],
        ] {
            let result = try Program.run(arguments)
            let errors = result.errors
            #expect(
                result.code == 0 && errors.contains("\(name):3: byte ") && errors.contains("; the point is skipped"),
                "\(arguments) \(errors)")
        }
        let reader = try TrackFormat.json.reader(path: folder.file("b.json"))
        #expect(try reader.next()?.event.location?.coordinate == Coordinate(latitude: 1, longitude: 2))
        #expect(try reader.next() == nil)
    }

    @Test func `a live source is forwarded to gpsd's clients`() async throws {
        let folder = TemporaryDirectory()
        let drive = Drive(60, rate: 4)
        let seen = try await blocking { () -> [PositionReport] in
            let (line, port) = (try NMEAServerLine(host: "127.0.0.1", port: 0), try freePort())
            let output = NMEAOutput(line)
            let relay = try Program(
                ["replay", "nmea:tcp://127.0.0.1:\(line.port)", "--to", "gpsd://127.0.0.1:\(port)"], in: folder)
            guard waited(until: { output.listeners == 1 }) else { return [] }
            var client = GPSDParser()
            var seen: [PositionReport] = []
            let interrupt = Interrupt()
            let stream = try ByteStream.open(
                .tcp(host: "127.0.0.1", port: port), timeout: .seconds(60), interrupt: interrupt)
            let watch = Array(GPSDParser.watchRequest.utf8)
            _ = watch.withUnsafeBytes { stream.write($0, timeout: .seconds(60), interrupt: interrupt) }
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
            defer { buffer.deallocate() }
            var isWatching = false
            func read() -> Bool {
                guard
                    case .bytes(let count) = stream.read(
                        into: buffer, timeout: .seconds(60), interrupt: interrupt)
                else { return false }
                client.read(buffer[..<count]) {
                    if case .position(let report) = $0 { seen.append(report) }
                    if case .watch = $0 { isWatching = true }
                }
                return true
            }
            while !isWatching, read() {}
            for event in drive.events { try output.send(event) }
            // The relay gives an epoch out when the next one begins.
            let later = Drive.start + .seconds(60)
            try output.send(RecordedEvent(timestamp: later, relativeTime: 60, event: .error(.denied())))
            let last = drive.locations.last?.timestamp
            while !seen.contains(where: { $0.location?.timestamp == last }), read() {}
            relay.kill()
            output.close()
            #expect(Set(seen.map(\.device)) == ["tcp://127.0.0.1:\(line.port)"])
            return seen
        }
        #expect(seen.compactMap(\.location?.timestamp) == drive.locations.map(\.timestamp))
        #expect(Drive.runs(seen.map { $0.location != nil }).hasPrefix(drive.runs))
    }

    @Test func `a track goes through every format and back`() throws {
        let folder = TemporaryDirectory()
        let drive = Drive(60, rate: 4)
        try drive.write(to: folder.file("a.json"))
        var source = "a.json"
        for ending in ["gpx", "kml", "csv", "geojson", "nmea", "json"] {
            let target = "b.\(ending)"
            let result = try Program.run(["convert", folder.file(source), folder.file(target)])
            #expect(result.code == 0 && result.errors.contains("\(drive.locations.count) positions"), "\(result)")
            if ending == "kml" { #expect(result.errors.contains("kml cannot hold: ")) }
            source = target
        }
        let reader = try TrackFormat.json.reader(path: folder.file("b.json"))
        var places: [Coordinate] = []
        while let event = try reader.next() { if let place = event.event.location?.coordinate { places.append(place) } }
        let wanted = drive.locations.map(\.coordinate)
        #expect(places.count == wanted.count)
        #expect(zip(places, wanted).allSatisfy { $0.distance(to: $1) < 0.001 })
    }

    @Test func `statistics are printed for people and for programs`() throws {
        let folder = TemporaryDirectory()
        let drive = Drive(60, rate: 4, tunnels: false)
        try drive.write(to: folder.file("a.json"))
        let text = try Program.run(["track", "stats", folder.file("a.json")])
        #expect(text.code == 0 && text.output.contains("points              60\n"), "\(text)")
        let json = try Program.run(["track", "stats", "--json", folder.file("a.json")])
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let places = drive.locations
        let length = zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.distance(from: $1.1) }
        #expect(try abs(#require(object["distance"] as? Double) - length) < 1e-6)
        #expect(object["west"] as? Double ?? 0 > object["east"] as? Double ?? 0)
    }

    /// A terminal that answers a query as configured, and prints what it receives.
    static let terminal = """
        import fcntl, os, sys, termios
        answer = sys.argv[1].encode().decode("unicode_escape").encode("latin1")
        terminal, line = os.openpty()
        settings = termios.tcgetattr(line)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(line, termios.TCSANOW, settings)
        # It is there before the question: on a busy machine it would come too late.
        os.write(terminal, answer)
        pid = os.fork()
        if pid == 0:
            os.setsid()
            fcntl.ioctl(line, termios.TIOCSCTTY, 0)
            for number in range(3): os.dup2(line, number)
            os.environ["TERM"] = "xterm"
            os.execv(sys.argv[2], sys.argv[2:])
        os.close(line)
        sent = b""
        while True:
            try: data = os.read(terminal, 65536)
            except OSError: break
            if not data: break
            sent += data
        sys.stdout.buffer.write(sent)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """

    @Test(
        .enabled(
            if: Program.path("python3") != nil && Program.path("chafa") != nil, "python3 or chafa is not installed"),
        arguments: [
            ("\\x1b_Gi=31;OK\\x1b\\\\\\x1b[?62;4c", "\u{1B}_Ga=T"), ("\\x1b[?62;4c", "\u{1B}P"),
            ("\\x1b[?62;22c", "\u{2580}"), ("", "\u{2580}"),
        ])
    func `a track is drawn as the terminal can show it`(answer: String, start: String) async throws {
        let folder = TemporaryDirectory()
        try Drive(60, rate: 4).write(to: folder.file("drive.json"))
        try folder.write(Self.terminal, to: "terminal.py")
        let result = try await blocking {
            try Program.run(
                [
                    folder.file("terminal.py"), answer, Program.products + "/taffrail", "track", "plot",
                    folder.file("drive.json"),
                ], of: "python3")
        }
        #expect(result.code == 0, "\(result.errors.prefix(300))")
        #expect(result.output.hasPrefix(TerminalGraphics.question) && result.output.contains(start))
        let others = ["\u{1B}_Ga=T", "\u{1B}P", "\u{2580}"].filter { !start.hasPrefix($0) }
        #expect(others.allSatisfy { !result.output.contains($0) })
    }

    /// The time of a paused replay in seconds, as the screen shows it.
    private static func timeOfPause(_ screen: String) -> Int? {
        guard let found = screen.firstMatch(of: /paused ([0-9]+):([0-9]+):([0-9]+)/)?.output else { return nil }
        return [found.1, found.2, found.3].reduce(0) { $0 * 60 + (Int($1) ?? 0) }
    }

    @Test(.enabled(if: Program.path("tmux") != nil, "tmux is not installed"))
    func `keys steer a replay on a terminal`() async throws {
        let folder = TemporaryDirectory()
        try Drive(2_000, rate: 4, tunnels: false).write(to: folder.file("drive.json"))
        let seen = try await blocking { () -> [String] in
            let screen = try Terminal(
                "\(Program.products)/taffrail replay \(folder.file("drive.json")); sleep 600", in: folder)
            defer { screen.close() }
            var seen: [String] = []
            func see(_ name: String, _ condition: (String) -> Bool) {
                if waited(until: { condition(screen.text) }) { seen.append(name) } else { seen.append(screen.text) }
            }
            see("plays") { $0.contains("playing 0:0") && $0.contains(" 1x event ") }
            screen.press("Space")
            // On a busy machine it may have played for a while.
            var time = 0
            see("pauses") { text in
                guard let shown = Self.timeOfPause(text) else { return false }
                time = shown
                return true
            }
            screen.press("Right")
            see("skips") { text in Self.timeOfPause(text).map { (time + 9...time + 19).contains($0) } == true }
            screen.press("+")
            see("doubles") { $0.contains(" 2x ") }
            screen.press("-")
            see("slows down") { $0.contains(" 1x ") }
            screen.press("-")
            see("halves") { $0.contains(" 0.5x ") }
            screen.press("q")
            see("ends") { $0.contains("late by") }
            return seen
        }
        #expect(seen == ["plays", "pauses", "skips", "doubles", "slows down", "halves", "ends"])
    }
}
#endif
