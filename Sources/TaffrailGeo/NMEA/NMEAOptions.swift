package import Taffrail
package import TaffrailTransport

/// A receiver of NMEA 0183, and how to read it.
public struct NMEAOptions: Sendable, Hashable {
    /// The source of the sentences: `/dev/ttyUSB0`, `serial:/dev/ttyUSB0?baud=38400`, `tcp://HOST:PORT`,
    /// `udp://HOST:PORT` (listens) or the path of a file. No default.
    public var source: String
    /// The receiver's name in records. Default: the source.
    public var device: String?
    /// Whether dates before 2026 are corrected as a week number rollover. Default: `true`, for files `false`.
    public var rollover: Bool?
    /// The silence after which the receiver counts as lost. From 1 s to 1 h. Default 10 s.
    public var silence: Duration
    /// Whether to open the source only while parts of the program request positions, at the requested rate.
    /// Default `false`: always.
    public var onDemand: Bool

    /// Creates options.
    public init(
        source: String, device: String? = nil, rollover: Bool? = nil, silence: Duration = .seconds(10),
        onDemand: Bool = false
    ) {
        self.source = source
        self.device = device
        self.rollover = rollover
        self.silence = silence
        self.onDemand = onDemand
    }

    /// Returns the address of the source.
    ///
    /// - Throws: ``OptionError`` for an invalid source.
    package func address() throws(OptionError) -> StreamAddress {
        guard let address = StreamAddress(source) else {
            throw OptionError("source", "\"\(source)\" is not a source")
        }
        return address
    }

    /// Returns the name of the receiver in records, and of the source for authorization.
    package func name(at address: StreamAddress) -> String { device ?? "\(address)" }
}
