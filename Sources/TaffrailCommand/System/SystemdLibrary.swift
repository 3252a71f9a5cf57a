internal import Glibc

/// libsystemd, loaded on first use: the command also works without it.
enum SystemdLibrary {
    // A handle of the dynamic loader: valid until the process ends, on every thread.
    private nonisolated(unsafe) static let handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL)

    /// One of its functions; `nil` if the installed version does not have it.
    ///
    /// - Parameter type: Its type according to systemd's header, which is not checked.
    static func function<F>(_ name: String, _ type: F.Type) -> F? {
        handle.flatMap { dlsym($0, name) }.map { unsafeBitCast($0, to: type) }
    }
}
