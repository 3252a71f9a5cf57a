#if Command
import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

/// The accuracy of a replay's timing, as observed by another process. The long form checks all delays against the
/// bounds, and reports how many are explained by standstills of the machine, which a process on each core detects. The
/// short form, which runs concurrently with other tests, compares it with a process that only sleeps at the same time.
@Suite(.mayBlock, .enabled(if: Program.path("python3") != nil, "python3 is not installed"))
struct TimingTests {
    static let isSoak = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == "1"

    /// The busy process: one for all that are measured at once.
    private static let load = Locked<(users: Int, program: Program?)>((0, nil))

    /// The way of a replayed position to another process.
    enum Way: String, CaseIterable, Sendable {
        /// `taffrail replay`, as NMEA in datagrams.
        case target
        /// The input `geo-replay` of a pipeline with a file and a console, at the console's end.
        case pipeline
        /// `GeoLogger`'s delegate, on the main thread.
        case logger
    }

    /// Writes the monotonic clock's time of each fix that comes as a datagram, or as a line that contains a word.
    static let receiver = """
        import os, socket, sys, time
        try: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))
        except OSError: pass  # Then this process waits for its turn, and what it measures has that in it.
        output, place, word, count = open(sys.argv[1], "w"), sys.argv[2], sys.argv[3].encode(), int(sys.argv[4])
        if place.isdigit():
            receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            receiver.bind(("127.0.0.1", int(place)))
            print("ready", file=output, flush=True)
            receive = lambda: int(b",A," in receiver.recv(4096).split(b"RMC", 1)[1][:20])
        else:
            print("ready", file=output, flush=True)
            pipe = os.open(place, os.O_RDONLY)
            receive = lambda: (os.read(pipe, 1 << 16) or sys.exit()).count(word)
        arrivals = []
        while len(arrivals) < count:
            fixes = receive()
            arrivals += [time.clock_gettime_ns(time.CLOCK_MONOTONIC)] * fixes
        print(*arrivals, sep="\\n", file=output)
        """

    /// Sleeps from each time of a schedule to the next, and writes when it woke.
    static let sleeper = """
        import sys, time
        output, count, interval = open(sys.argv[1], "w"), int(sys.argv[2]), float(sys.argv[3])
        start = time.monotonic()
        times = []
        for index in range(count):
            time.sleep(max(0, start + index * interval - time.monotonic()))
            times.append(time.monotonic_ns())
        print(*times, sep="\\n", file=output)
        """

    /// Starts the program that replays a drive to a target.
    private func replay(_ way: Way, _ folder: TemporaryDirectory, rate: Double, to place: String) throws -> Program {
        let drive = folder.file("drive.json")
        switch way {
        case .target:
            return try Program(
                ["replay", drive, "--rate", "\(rate)", "--to", "nmea-udp://127.0.0.1:\(place)"], in: folder,
                errors: "report")
        case .pipeline:
            try folder.write(
                """
                plugins:
                  geo-replay: { file: \(drive), rate: \(rate) }
                  file: { path: \(folder.path)/app.log }
                  console: { stream: stdout, color: never }
                """, to: "taffrail.yaml")
            return try Program(
                ["run", "--config", folder.file("taffrail.yaml")], in: folder,
                environment: ["XDG_STATE_HOME": folder.path], output: "pipe", errors: "report")
        case .logger:
            return try Program(
                ["replay-logger", drive, "\(rate)"], of: "TaffrailTestSubject", in: folder, output: "pipe",
                errors: "report")
        }
    }

    /// The delays of a drive that is replayed once, while another process is busy, and those of a process that sleeps.
    private func delays(
        _ way: Way, _ folder: TemporaryDirectory, rate: Double, count: Int, frequency: Double
    ) throws -> (replay: Delays, sleeper: Delays)? {
        try Self.load.withLock { load in
            // The short form runs next to other tests, which must not be blocked.
            let busy = "import os; tests = os.getppid()\nwhile os.getppid() == tests: pass"
            let words = ["-n", Self.isSoak ? "0" : "19", "python3", "-c", busy]
            if load.users == 0 { load.program = try Program(words, of: "nice", in: TemporaryDirectory()) }
            load.users += 1
        }
        defer {
            Self.load.withLock { load in
                load.users -= 1
                if load.users == 0 { load.program = nil }
            }
        }
        let place = way == .target ? "\(try freePort())" : folder.file("pipe")
        if way != .target { guard mkfifo(place, 0o600) == 0 else { throw POSIXError(.EIO) } }
        let word = way == .logger ? "fix" : "event=geo.location"
        let receiver = try Program(
            [folder.file("receiver.py"), folder.file("arrivals"), place, word, "\(count)"], of: "python3", in: folder)
        guard waited(until: { folder.text("arrivals").hasPrefix("ready") }) else { return nil }
        let cores = Self.isSoak ? ProcessInfo.processInfo.activeProcessorCount : 0
        let watchers = try (0..<cores).map {
            try Program(
                [folder.file("watcher.py"), folder.file("standstills.\($0)"), "\($0)"], of: "python3", in: folder)
        }
        defer { watchers.forEach { $0.kill() } }
        let replay = try replay(way, folder, rate: rate, to: place)
        let seconds = Double(count) / frequency / rate
        let sleeper = try Program(
            [folder.file("sleeper.py"), folder.file("woken"), "\(count)", "\(1 / frequency / rate)"], of: "python3",
            in: folder)
        guard waited(seconds: seconds + 90, until: { !receiver.isRunning && !sleeper.isRunning }) else { return nil }
        if way == .target { guard replay.end() == .exited(0) else { return nil } }
        let delays = { (name: String) in
            Delays(
                folder.text(name).split(separator: "\n").compactMap { Double($0) }.map { $0 / 1e6 },
                each: 1_000 / frequency / rate,
                standstills: (0..<cores).flatMap { Standstill.all(in: folder.text("standstills.\($0)")) })
        }
        return (delays("arrivals"), delays("woken"))
    }

    @Test(arguments: Way.allCases, [1.0, 10.0])
    func `times are kept, measured from outside`(way: Way, rate: Double) async throws {
        let seconds = Self.isSoak ? 600.0 : 30.0
        let frequency = 5.0
        let count = Int(seconds * rate * frequency)
        let folder = TemporaryDirectory()
        try Drive(count, rate: frequency, tunnels: false).write(to: folder.file("drive.json"))
        try folder.write(Self.receiver, to: "receiver.py")
        try folder.write(Self.sleeper, to: "sleeper.py")
        try folder.write(Standstill.watcher, to: "watcher.py")
        let delays = try await blocking {
            try self.delays(way, folder, rate: rate, count: count, frequency: frequency)
        }
        let (found, sleeper) = try #require(
            delays, "\(folder.text("report")) \(folder.text("arrivals").prefix(100))")
        // Nothing is lost, and nothing comes twice.
        try #require(found.inOrder.count == count && sleeper.inOrder.count == count)
        func text(_ value: Double) -> String { "\((value * 1_000).rounded() / 1_000) ms" }
        print(
            "replay, \(way.rawValue), at \(rate)x for \(seconds) s, measured outside: p50",
            "\(text(found.quantile(0.5))), p99 \(text(found.quantile(0.99))), max \(text(found.maximum)), growth",
            "\(text(found.growth)); told by itself: \(folder.text("report").split(separator: "\n").last ?? "")")
        guard Self.isSoak else {
            print("  a process that sleeps: p50 \(text(sleeper.quantile(0.5))), growth \(text(sleeper.growth))")
            return #expect(found.areKept(beside: sleeper))
        }
        print(
            "  cores stood still \(found.standstills.count) times, for at most \(text(found.standstills.longest));",
            "max of what these do not explain \(text(found.ownMaximum))")
        #expect(found.quantile(0.99) <= 2 && found.maximum <= 20 && found.growth <= 1)
    }

    @Test func `early, slow, fast and simultaneous events are detected, and a busy machine is not`() {
        let count = 150
        /// Delays of arrivals 200 ms apart, each late by a few milliseconds and what `more` adds.
        func delays(_ more: (Int) -> Double) -> Delays {
            Delays((0..<count).map { Double($0 * 200 + $0 * 7 % 5) + more($0) }, each: 200, standstills: [])
        }
        let sleeper = delays { _ in 0 }
        #expect(delays { _ in 0 }.areKept(beside: sleeper))
        #expect(delays { $0 % 50 == 7 ? 900 : 0 }.areKept(beside: sleeper))
        #expect(!delays { $0 == 70 ? -150 : 0 }.areKept(beside: sleeper))
        #expect(!delays { Double($0) * 2 }.areKept(beside: sleeper))
        #expect(!delays { Double($0) * -2 }.areKept(beside: sleeper))
        #expect(!delays { Double($0) * -200 }.areKept(beside: sleeper))
        #expect(!delays { Double(4 - $0 % 5) * 200 }.areKept(beside: sleeper))
        // When the sleeper was late, the replay may be, too.
        let busy = delays { Double($0 * 13 % 40) }
        #expect(delays { Double($0 * 17 % 200) }.areKept(beside: busy))
    }
}
#endif
