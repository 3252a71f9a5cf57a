import Foundation
import Glibc
import TaffrailTestSupport

/// A real sshd of the tests' own, on a free port of the loopback.
final class SSHServer {
    private static let program = "/usr/sbin/sshd"

    /// Whether a server is possible here: only root's can log in users.
    static var isPossible: Bool { geteuid() == 0 && access(program, X_OK) == 0 }

    struct Failure: Error {
        let description: String
    }

    let directory: TemporaryDirectory
    private let reserved: ReservedPort
    var port: Int { reserved.number }
    private let process: Program
    /// What a client needs: its key and the host's.
    var configuration: String { directory.file("config") }

    /// Starts a server.
    ///
    /// - Parameter command: The command to run instead of the requested one, which is in `$SSH_ORIGINAL_COMMAND`.
    init(running command: String? = nil) throws {
        directory = TemporaryDirectory()
        // A directory in which its children have no rights.
        mkdir("/run/sshd", 0o755)
        for key in ["host", "client", "stranger"] {
            let keygen = try Program(
                ["-q", "-t", "ed25519", "-N", "", "-f", directory.file(key)], of: "/usr/bin/ssh-keygen")
            guard keygen.end() == .exited(0) else { throw Failure(description: "ssh-keygen") }
        }
        reserved = try ReservedPort()
        let port = reserved.number
        let path = directory.path
        try directory.append(
            """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(path)/host
            AuthorizedKeysFile \(path)/client.pub
            PidFile none
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            UsePAM no
            PermitRootLogin yes
            StrictModes no
            \(command.map { "ForceCommand \($0)" } ?? "")

            """, to: "sshd_config")
        try directory.append(
            """
            Host *
            Port \(port)
            IdentityFile \(path)/client
            IdentitiesOnly yes
            UserKnownHostsFile \(path)/known
            StrictHostKeyChecking yes
            BatchMode yes
            ConnectTimeout 300

            """, to: "config")
        let host = directory.text("host.pub").split(separator: " ").prefix(2).joined(separator: " ")
        try directory.append("[127.0.0.1]:\(port) \(host)\n", to: "known")
        process = try Program(
            ["-D", "-e", "-f", directory.file("sshd_config")], of: Self.program, errors: directory.file("sshd.log"))
        if waited(until: { Self.isListening(port) }) { return }
        throw Failure(description: "sshd does not listen: \(directory.text("sshd.log"))")
    }

    deinit { process.send(SIGTERM) }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    private static func isListening(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
