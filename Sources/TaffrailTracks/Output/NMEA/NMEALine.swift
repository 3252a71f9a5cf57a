package import Taffrail

/// A transport for NMEA sentences.
package protocol NMEALine: AnyObject, Sendable {
    /// Its name for users.
    var name: String { get }
    /// The number of connected programs; `nil` if unknown.
    var listeners: Int? { get }
    /// Whether everything has been received.
    var isDrained: Bool { get }
    /// How long to send epochs without a fix before the first event: listeners need some epochs to identify the
    /// receiver.
    var leadIn: Duration { get }
    /// Sends the sentences of an epoch.
    func send(_ bytes: [UInt8]) throws(SystemError)
    /// Closes the transport.
    func close()
}
