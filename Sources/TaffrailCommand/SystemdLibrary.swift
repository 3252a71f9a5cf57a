internal import Glibc

/// libsystemd, loaded when it is first needed: the command starts and logs without it, too.
enum SystemdLibrary {
    // A handle of the loader's: it stays valid as long as the process lives, for every thread.
    private nonisolated(unsafe) static let handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL)

    /// Whether it is installed.
    static var isThere: Bool { handle != nil }

    /// One of its functions; `nil` where the library, or this version of it, does not have it.
    ///
    /// - Parameter type: Its type as systemd's header declares it; nothing checks that.
    static func function<F>(_ name: String, _ type: F.Type) -> F? {
        handle.flatMap { dlsym($0, name) }.map { unsafeBitCast($0, to: type) }
    }
}
