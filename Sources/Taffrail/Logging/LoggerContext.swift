/// The attributes that a logger adds to its records, encoded once.
final class LoggerContext: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}
