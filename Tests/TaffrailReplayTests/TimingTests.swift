#if Command
import Foundation
import Taffrail
import TaffrailGeo
import Testing

/// How exactly a replay keeps its times, as another process sees it.
@Suite(.enabled(if: Program.path("python3") != nil, "python3 is not installed"))
struct TimingTests {
    static let isSoak = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == "1"

    /// Writes the monotonic clock's time of each datagram with a fix, until one has the last fix's time.
    static let receiver = """
        import os, socket, sys, time
        try: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))
        except OSError: pass  # Then this process waits for its turn, and what it measures has that in it.
        port, last, output = int(sys.argv[1]), sys.argv[2].encode(), open(sys.argv[3], "w")
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        receiver.bind(("127.0.0.1", port))
        print("ready", file=output, flush=True)
        arrivals = []
        while True:
            data = receiver.recv(4096)
            now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            if b",A," in data.split(b"RMC", 1)[1][:20]:
                arrivals.append(now)
                if last in data: break
        print(*arrivals, sep="\\n", file=output)
        """

    /// Delays against the best one, in milliseconds, in the order of the events.
    struct Delays: Sendable {
        var inOrder: [Double]
        var sorted: [Double] { inOrder.sorted() }
        func quantile(_ share: Double) -> Double { sorted[min(inOrder.count - 1, Int(Double(inOrder.count) * share))] }
        var maximum: Double { sorted.last ?? 0 }
        /// By how much the last quarter's median is above the first one's.
        var growth: Double {
            let quarter = inOrder.count / 4
            let (first, last) = (inOrder.prefix(quarter).sorted(), inOrder.suffix(quarter).sorted())
            return last[quarter / 2] - first[quarter / 2]
        }
    }

    @Test(arguments: [1.0, 10.0]) func `times are kept, measured from outside`(rate: Double) async throws {
        let seconds = Self.isSoak ? 600.0 : 30.0
        let frequency = 5.0
        let count = Int(seconds * rate * frequency)
        let folder = try Folder()
        try Drive(count, rate: frequency, tunnels: false).write(to: folder.file("drive.json"))
        try folder.write(Self.receiver, to: "receiver.py")
        let last = RFC3339.string(Drive.start + Double(count - 1) / frequency)
        let time = last.dropFirst(11).dropLast().replacing(":", with: "")
        let port = try freePort()
        let delays = try await blocking { () -> Delays? in
            let load = Self.isSoak ? try Program("python3", ["-c", "while True: pass"]) : nil
            defer { load?.kill() }
            let receiver = try Program(
                "python3", [folder.file("receiver.py"), "\(port)", "RMC,\(time)", folder.file("arrivals")])
            guard eventually({ folder.text("arrivals").hasPrefix("ready") }) else { return nil }
            let replay = try Program(
                "taffrail",
                ["replay", folder.file("drive.json"), "--rate", "\(rate)", "--to", "nmea-udp://127.0.0.1:\(port)"],
                errors: folder.file("report"))
            guard replay.wait() == 0, eventually({ !receiver.isRunning }) else { return nil }
            let arrivals = folder.text("arrivals").split(separator: "\n").compactMap { Double($0) }
            let late = arrivals.enumerated().map { $1 / 1e6 - Double($0) / frequency / rate * 1_000 }
            let best = late.min() ?? 0
            return Delays(inOrder: late.map { $0 - best })
        }
        let found = try #require(delays, "\(folder.text("report"))")
        // Nothing is lost, and nothing comes twice.
        try #require(found.inOrder.count == count)
        func text(_ value: Double) -> String { "\((value * 1_000).rounded() / 1_000) ms" }
        print(
            "replay at \(rate)x for \(seconds) s, measured outside: p50 \(text(found.quantile(0.5))), p99",
            "\(text(found.quantile(0.99))), max \(text(found.maximum)), growth \(text(found.growth));",
            "told by itself: \(folder.text("report").split(separator: "\n").last ?? "")")
        guard Self.isSoak else { return }
        #expect(found.quantile(0.99) <= 2 && found.maximum <= 20 && found.growth <= 1)
    }
}
#endif
