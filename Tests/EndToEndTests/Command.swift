import Foundation
import Glibc
import TaffrailGeo
import Testing

/// The command `taffrail`, or another program, started by a test in a folder of its own.
final class Command: @unchecked Sendable {
    let pid: pid_t
    private var end: Int32?

    /// Where the package's programs have been built.
    static let products: String = {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (path as NSString).deletingLastPathComponent
    }()
    static let taffrail = products + "/taffrail"

    /// Starts a program; what it says goes to the files `output` and `errors` of the folder.
    init(
        _ arguments: [String], of program: String = taffrail, in folder: Folder, environment: [String: String] = [:],
        output: String = "output", input: Int32? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, folder.file(output), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, folder.file("errors"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // The threads of a test may block signals; a program that is started by hand does not.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A group of its own, so that what it starts itself can be ended with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, program, &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
        self.pid = pid
    }

    deinit { stop() }

    /// Kills the program and what it has started.
    func stop() {
        guard end == nil else { return }
        kill(-pid, SIGKILL)
        _ = wait()
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// The exit code, or 128 and the signal that killed it.
    @discardableResult
    func wait() -> Int32 {
        if let end { return end }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        end = code
        return code
    }

    /// Runs the command to its end.
    static func run(
        _ arguments: [String], in folder: Folder, environment: [String: String] = [:]
    ) throws -> (code: Int32, output: String) {
        let name = "output-\(UUID().uuidString)"
        let code = try Command(arguments, in: folder, environment: environment, output: name).wait()
        return (code, folder.text(name))
    }
}

/// A folder that is gone when the value is.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "taffrail-end-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file(name)) ?? Data(), as: UTF8.self)
    }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: file(name))) }

    /// The names of the recordings in a folder below.
    func recordings(_ name: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: file(name))) ?? []
        return names.filter { $0.hasPrefix("geo_log_") && $0.hasSuffix(".json") }.sorted()
    }

    /// How many events the recordings in a folder below say they have, also while one is being written.
    func count(_ name: String) -> Int {
        RecordingManager(directory: URL(filePath: file(name))).listRecordings().reduce(0) { $0 + $1.eventCount }
    }

    /// The events of all recordings in a folder below, none of which is just being written to, each of which must be whole, to Foundation's reader too.
    func events(_ name: String) throws -> [GeoEvent] {
        var events: [GeoEvent] = []
        for recording in recordings(name) {
            let path = file(name) + "/" + recording
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
            let whole = try #require(json as? [String: Any])
            let count = (whole["events"] as? [Any])?.count
            let metadata = try #require(whole["metadata"] as? [String: Any])
            #expect(metadata["eventCount"] as? Int == count, "\(recording)")
            #expect(try RecordingReport(checking: path).isWhole, "\(recording)")
            var reader = try RecordingReader(path: path)
            while let event = try reader.next() { events.append(event.event) }
        }
        return events
    }
}

/// Waits until something is so, at most for a while.
func eventually(seconds: Double = 20, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    while DispatchTime.now().uptimeNanoseconds < end {
        if try condition() { return true }
        poll(nil, 0, 5)
    }
    return try condition()
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

/// A terminal: what is written to the end that we hold can be read from the device, and the other way round.
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

    /// Lets bytes through as they are.
    func makeRaw() {
        let device = open(path, O_RDWR | O_NOCTTY)
        var settings = termios()
        tcgetattr(device, &settings)
        cfmakeraw(&settings)
        tcsetattr(device, TCSANOW, &settings)
        close(device)
    }

    /// What has come, without waiting.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }
}
