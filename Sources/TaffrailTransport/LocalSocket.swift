internal import Glibc
internal import Taffrail
internal import TaffrailText

/// Sockets in the file system.
package enum LocalSocket {
    /// Listens on a path that only the owner may use.
    ///
    /// The socket gets this name only once it accepts connections: other programs remove sockets that do not.
    static func listen(_ path: String) throws(SystemError) -> ByteStream {
        let descriptor = SocketAddress.makeSocket(AF_UNIX, SocketAddress.stream)
        guard descriptor >= 0 else { throw SystemError("listen on \(path)") }
        let stream = ByteStream(descriptor: descriptor, address: .file(path: path))
        try withAddress(path) { _, _ in }
        // The socket file gets the permissions that the socket has when it is bound.
        _ = fchmod(descriptor, 0o600)
        let temporary = "\(Directory.parent(of: path) ?? ".")/.\(ThisProcess.id).\(descriptor).tmp"
        // Never for a control socket, whose own name is longer than the temporary one.
        guard temporary.utf8.count <= ControlServer.longestPath else {
            try bindAnew(descriptor, path, for: path)
            guard Glibc.listen(descriptor, 8) == 0 else { throw SystemError("listen on \(path)") }
            return stream
        }
        try bindAnew(descriptor, temporary, for: path)
        var code = Glibc.listen(descriptor, 8) == 0 ? 0 : errno
        if code == 0 { code = FileName.renameExclusively(temporary, to: path) }
        if code == EEXIST, (try? isDead(path)) == true {
            try? FileName.remove(path)
            code = FileName.renameExclusively(temporary, to: path)
        }
        guard code == 0 else {
            try? FileName.remove(temporary)
            throw SystemError("listen on \(path)", code: code == EEXIST ? EADDRINUSE : code)
        }
        return stream
    }

    /// Binds a socket to a name, in place of a dead socket.
    private static func bindAnew(_ descriptor: Int32, _ name: String, for path: String) throws(SystemError) {
        guard try systemBind(descriptor, name) != 0 else { return }
        let code = errno
        guard code == EADDRINUSE, try isDead(name) else { throw SystemError("listen on \(path)", code: code) }
        try? FileName.remove(name)
        guard try systemBind(descriptor, name) == 0 else { throw SystemError("listen on \(path)") }
    }

    /// Connects to the program that is listening on a path.
    static func connect(_ path: String) throws(SystemError) -> ByteStream {
        let descriptor = SocketAddress.makeSocket(AF_UNIX, SocketAddress.stream)
        guard descriptor >= 0 else { throw SystemError("connect to \(path)") }
        let stream = ByteStream(descriptor: descriptor, address: .file(path: path))
        let result = try withAddress(path) { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 else { throw SystemError("connect to \(path)") }
        return stream
    }

    /// Removes a socket on which no program is listening. Other files are kept.
    package static func removeIfDead(_ path: String) {
        if (try? isDead(path)) == true { try? FileName.remove(path) }
    }

    /// Returns whether a socket is dead; a file of another type is not a socket and not dead.
    private static func isDead(_ path: String) throws(SystemError) -> Bool {
        guard try FileStatus.of(path)?.isSocket == true else { return false }
        let descriptor = SocketAddress.makeSocket(AF_UNIX, SocketAddress.stream)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let result = try withAddress(path) { Glibc.connect(descriptor, $0, $1) }
        return result != 0 && errno == ECONNREFUSED
    }

    private static func systemBind(_ descriptor: Int32, _ path: String) throws(SystemError) -> Int32 {
        try withAddress(path) { bind(descriptor, $0, $1) }
    }

    private static func withAddress<R>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) throws(SystemError) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard !path.isEmpty, path.utf8.count < capacity else {
            throw SystemError("use \(path) as a socket's name", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
