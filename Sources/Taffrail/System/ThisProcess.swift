internal import Glibc

/// The current process.
package enum ThisProcess {
    /// The process id, which changes in a forked child.
    package static var id: Int32 { getpid() }

    /// The effective user.
    package static var user: UInt32 { geteuid() }

    /// The signals that request termination.
    static let terminationSignals: [CInt] = [SIGTERM, SIGINT]

    /// Registers a function to be called by `exit`.
    static func atExit(_ body: @escaping @convention(c) () -> Void) { atexit(body) }
}
