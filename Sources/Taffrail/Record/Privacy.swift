/// What of an interpolated value may reach the log: `"\(token, privacy: .private)"`.
///
/// Enforced while the message is built: a withheld value is never turned into text, and no byte of it reaches
/// the queue, the ring file or a sink.
public enum Privacy: Sendable, Hashable {
    /// The value itself; what an interpolation without `privacy:` does.
    case `public`
    /// Only `<private>`.
    case `private`
    /// A hash such as `<hash:5d41402abc4b2a76>`: equal values are recognisable within one run of the program.
    /// The key is random for each run, so that nobody can look a hash up afterwards.
    case hash
}
