#if Server
internal import NIOSSL
internal import Taffrail

/// The certificate of a server, which is read again after its files have changed.
///
/// While the files cannot be used together, because only one has been renewed or one is missing, connections use the
/// previous certificate.
final class CertificateFiles: Sendable {
    /// The versions of the files that were last read.
    private struct Seen: Equatable {
        var certificate: FileStatus.Version?
        var key: FileStatus.Version?
    }

    private struct State {
        var context: NIOSSLContext
        var seen: Seen
        /// The time of the next check of the files, by the monotonic clock.
        var due = Int64.min
    }

    private let certificate: String
    private let key: String
    private let interval: Int64
    private let state: Locked<State>

    /// Reads the files.
    ///
    /// - Parameter interval: The minimum time between two checks of the files, which new connections trigger.
    /// - Throws: If they cannot be used.
    init(certificate: String, key: String, interval: Duration = .seconds(1)) throws {
        self.certificate = certificate
        self.key = key
        self.interval = interval.nanoseconds
        // Before they are read, so that a change in the meantime is detected.
        let seen = Self.seen(certificate, key)
        state = Locked(State(context: try Self.context(certificate, key), seen: seen))
    }

    /// The context of a new connection.
    var context: NIOSSLContext {
        let now = SystemClock.monotonicNanoseconds()
        let (current, problem) = state.withLock { state -> (NIOSSLContext, String?) in
            guard now >= state.due else { return (state.context, nil) }
            state.due = now + interval
            let seen = Self.seen(certificate, key)
            guard seen != state.seen else { return (state.context, nil) }
            state.seen = seen
            do { state.context = try Self.context(certificate, key) } catch { return (state.context, "\(error)") }
            return (state.context, "")
        }
        switch problem {
        case nil: break
        case ""?: Diagnostics.report("the receiver uses the renewed certificate \(certificate)")
        case let reason?:
            Diagnostics.report("\(certificate) has changed and cannot be used; keeping the previous one: \(reason)")
        }
        return current
    }

    private static func seen(_ certificate: String, _ key: String) -> Seen {
        Seen(certificate: FileStatus.version(of: certificate), key: FileStatus.version(of: key))
    }

    private static func context(_ certificate: String, _ key: String) throws -> NIOSSLContext {
        try NIOSSLContext(configuration: ServerCertificate.configuration(certificate: certificate, key: key))
    }
}
#endif
