internal import Glibc

/// The process that runs this.
package enum ThisProcess {
    /// Its number; another one in a forked child.
    package static var id: Int32 { getpid() }

    /// The user whose permissions it has.
    package static var user: UInt32 { geteuid() }

    /// The signals that ask a process to end.
    static let terminationSignals: [CInt] = [SIGTERM, SIGINT]

    /// Has a function called when the process ends by `exit`.
    static func atExit(_ body: @escaping @convention(c) () -> Void) { atexit(body) }
}
