#if Journald
import CSystemd
import Foundation
import Glibc
import TaffrailTestSupport

/// A real journald for the tests, in its own namespace. Requires root.
final class PrivateJournald {
    private static let program = "/lib/systemd/systemd-journald"

    /// Whether there can be one here.
    static var isPossible: Bool { geteuid() == 0 && access(program, X_OK) == 0 && machineID != nil }

    private static var machineID: String? {
        let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let namespace: String
    private var process: pid_t?
    var socket: String { "/run/systemd/journal.\(namespace)/socket" }
    private var controlSocket: String { "/run/systemd/journal.\(namespace)/io.systemd.journal" }
    private var configuration: String { "/etc/systemd/journald@\(namespace).conf" }

    init(_ name: String) throws {
        namespace = "taffrail-\(name)-\(getpid())"
        // Without the retention it would end after 30 s without a client.
        let text = """
            [Journal]
            Storage=persistent
            ReadKMsg=no
            RateLimitIntervalSec=0
            RateLimitBurst=0
            ForwardToSyslog=no
            ForwardToWall=no
            Audit=no
            MaxRetentionSec=1day

            """
        try text.write(toFile: configuration, atomically: false, encoding: .utf8)
        try start()
    }

    func start() throws {
        process = try Program.start(
            Self.program, [namespace], environment: [:], input: .file("/dev/null"), output: .file("/dev/null"),
            errors: .file("/dev/null"))
        // The second socket is that of `journalctl --sync`, and comes later.
        try wait("journald listens") { Self.isListening(at: socket) && access(controlSocket, F_OK) == 0 }
    }

    /// A stopped journald leaves a socket file that refuses connections.
    private static func isListening(at path: String) -> Bool {
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafeBytes(of: &address) { bytes in
            guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return connect(descriptor, pointer, socklen_t(bytes.count)) == 0
        }
    }

    /// Ends it when it has stored the data in its socket, which would otherwise be lost with it: nothing else keeps it
    /// open here.
    func stop() {
        guard let process else { return }
        try? synchronize()
        kill(process, SIGTERM)
        _ = Program.reap(process, 0)
        self.process = nil
    }

    func suspend() { _ = process.map { kill($0, SIGSTOP) } }
    func resume() { _ = process.map { kill($0, SIGCONT) } }

    deinit {
        resume()
        stop()
        unlink(configuration)
        for directory in ["/var/log/journal/\(Self.machineID ?? "").\(namespace)", "/run/systemd/journal.\(namespace)"]
        {
            try? FileManager.default.removeItem(atPath: directory)
        }
    }

    /// All entries with a field of that value, each as its fields; a field may be there several times.
    func entries(where match: String) throws -> [[String: [[UInt8]]]] {
        // One that has been stopped has everything on disk.
        if process != nil { try synchronize() }
        var journal: OpaquePointer?
        let result = sd_journal_open_namespace(&journal, namespace, 0)
        guard result >= 0 else { throw Failure(description: "sd_journal_open_namespace: \(result)") }
        defer { sd_journal_close(journal) }
        sd_journal_set_data_threshold(journal, 0)
        sd_journal_add_match(journal, match, 0)
        var entries: [[String: [[UInt8]]]] = []
        while sd_journal_next(journal) > 0 {
            var fields: [String: [[UInt8]]] = [:]
            var data: UnsafeRawPointer?
            var length = 0
            sd_journal_restart_data(journal)
            while sd_journal_enumerate_data(journal, &data, &length) > 0 {
                let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: length))
                guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = String(decoding: bytes[..<equals], as: UTF8.self)
                fields[name, default: []].append(Array(bytes[(equals + 1)...]))
            }
            entries.append(fields)
        }
        return entries
    }

    /// Everything in the socket is on disk when this returns.
    private func synchronize() throws {
        let result = try Program.run(["--namespace=\(namespace)", "--sync"], of: "journalctl")
        guard result.code == 0 else { throw Failure(description: "journalctl --sync: \(result.errors)") }
    }

    /// Looks every few milliseconds whether something is so, for at most two minutes.
    func wait(_ what: String, until isSo: () throws -> Bool) throws {
        if try waited(until: isSo) { return }
        throw Failure(description: "not within two minutes: \(what)")
    }
}

extension [String: [[UInt8]]] {
    /// The one value of a field, as text.
    func text(_ name: String) -> String? {
        guard let values = self[name], values.count == 1 else { return nil }
        return String(decoding: values[0], as: UTF8.self)
    }
}
#endif
