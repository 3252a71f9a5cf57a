import Foundation
import Glibc
import Synchronization
import Taffrail
import TaffrailGeo

/// A folder that is gone when the value is.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "taffrail-replay-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file(name)) ?? Data(), as: UTF8.self)
    }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: file(name))) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

/// Another program, ended with the value.
final class Program: Sendable {
    let pid: pid_t
    private let end = Mutex<CInt?>(nil)

    /// Where the package's programs have been built.
    static var products: String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (path as NSString).deletingLastPathComponent
    }

    /// The first place where a program lies; `nil`: nowhere.
    static func path(_ name: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/bin/"].map { $0 + name }.first { access($0, X_OK) == 0 }
    }

    /// Starts a program; `taffrail` is that of this package. What it writes goes to files.
    init(
        _ name: String, _ arguments: [String], output: String = "/dev/null", errors: String = "/dev/null",
        environment: [String: String] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // The threads of a test may block signals; a program that is started by hand does not.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let path = name == "taffrail" ? Self.products + "/taffrail" : Self.path(name) ?? name
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
        for pointer in argv + envp { free(pointer) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        self.pid = pid
        guard result == 0 else {
            end.withLock { $0 = -1 }
            throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT)
        }
    }

    deinit { kill() }

    /// Ends it the hard way.
    func kill() {
        guard end.withLock({ $0 }) == nil else { return }
        Glibc.kill(pid, SIGKILL)
        wait()
    }

    /// Whether it has not ended yet.
    var isRunning: Bool {
        end.withLock { end in
            guard end == nil else { return false }
            var status: CInt = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return true }
            end = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
            return false
        }
    }

    /// Waits for its end, and gives its exit code; negative for the signal that ended it.
    @discardableResult
    func wait() -> CInt {
        end.withLock { end in
            if let end { return end }
            var status: CInt = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
            end = code
            return code
        }
    }

    /// Runs a program to its end.
    static func run(_ name: String, _ arguments: [String]) throws -> (code: CInt, output: String, errors: String) {
        let folder = try Folder()
        let program = try Program(name, arguments, output: folder.file("out"), errors: folder.file("err"))
        let code = program.wait()
        return (code, folder.text("out"), folder.text("err"))
    }
}

/// Waits until something is so, at most for a while.
func eventually(seconds: Double = 90, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    while DispatchTime.now().uptimeNanoseconds < end {
        if try condition() { return true }
        poll(nil, 0, 10)
    }
    return try condition()
}

/// Runs what blocks on a thread of its own, so that other tests go on.
func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        let isStarted = DedicatedThread.start { continuation.resume(with: Result { try body() }) }
        if !isStarted { continuation.resume(throwing: POSIXError(.EAGAIN)) }
    }
}

/// A port that nobody listens at now.
func freePort() throws -> Int {
    let server = try StreamServer(host: "127.0.0.1", port: 0)
    defer { server.close(nanoseconds: 0) }
    return server.port
}

/// A drive as other programs have to see it.
struct Drive: Sendable {
    let events: [RecordedEvent]
    var locations: [Location] { events.compactMap(\.event.location) }

    static let start = RFC3339.timestamp("2026-01-05T14:30:00Z") ?? .now

    /// A way over the antimeridian, from below the sea on, with accuracies that change and tunnels.
    ///
    /// - Parameter tunnels: Whether there is no fix in four epochs of forty.
    init(_ count: Int, rate: Double, tunnels: Bool = true) {
        var events: [RecordedEvent] = []
        for index in 0..<count {
            let time = Double(index) / rate
            let moment = Self.start + time
            if tunnels, (12..<16).contains(index % 40) {
                guard index % 40 == 12 else { continue }
                events.append(
                    RecordedEvent(timestamp: moment, relativeTime: time, event: .error(.locationUnknown("tunnel"))))
                continue
            }
            let longitude = (179.99 + Double(index) * 0.0004 + 180).truncatingRemainder(dividingBy: 360) - 180
            var location = Location(
                latitude: -55.5 + Double(index) * 0.000_123, longitude: (longitude * 1e9).rounded() / 1e9,
                timestamp: moment)
            location.altitude = -12.3 + Double(index) * 0.5
            location.ellipsoidalAltitude = -12.3 + Double(index) * 0.5 + 41.25
            location.horizontalAccuracy = 2.5 + Double(index % 30) * 0.37
            location.verticalAccuracy = 4 + Double(index % 7) * 1.1
            location.course = (Double(index) * 3.7).truncatingRemainder(dividingBy: 360)
            location.speed = Double(index % 50) * 0.71
            events.append(RecordedEvent(timestamp: moment, relativeTime: time, event: .location(location)))
        }
        self.events = events
    }

    /// Writes it as a track.
    func write(to path: String) throws {
        let writer = try format(of: path).writer(try TextOutput(path: path))
        try writer.begin(RecordingMetadata(recordedAt: Self.start), name: "drive")
        for event in events { try writer.append(event) }
        try writer.finish()
    }

    private func format(of path: String) throws -> TrackFormat {
        guard let format = TrackFormat(path: path) else { throw POSIXError(.EINVAL) }
        return format
    }

    /// From which event on there is a fix and from which one not, as a line of letters without repetitions: `FNFN`.
    var spells: String { Self.spells(events.map { $0.event.location != nil }) }

    static func spells(_ fixes: [Bool]) -> String {
        fixes.reduce(into: "") { text, hasFix in
            let letter: Character = hasFix ? "F" : "N"
            if text.last != letter { text.append(letter) }
        }
    }
}
