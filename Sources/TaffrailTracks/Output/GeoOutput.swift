package import Taffrail
package import TaffrailGeo
package import TaffrailText

/// An output of events to other programs: the sentences of a receiver, or the protocol of gpsd. Any thread may call.
package protocol GeoOutput: AnyObject, Sendable {
    /// The output's name for users, such as `tcp://127.0.0.1:10110`.
    var name: String { get }
    /// The number of connected programs; `nil` if unknown.
    var listeners: Int? { get }
    /// Whether everything sent has been received.
    var isDrained: Bool { get }
    /// Prepares listeners for the first events, which may take some seconds.
    ///
    /// - Parameter first: The time of the first event.
    func prepare(for first: Timestamp, _ interrupt: Interrupt)
    /// Sends an event; events that the format cannot express are omitted.
    func send(_ event: RecordedEvent) throws(SystemError)
    /// Closes the output once everything sent has been received.
    func close()
}

extension GeoOutput {
    /// Waits until a number of programs are connected; returns at once if the number is unknown.
    package func wait(for count: Int, _ interrupt: Interrupt) {
        while (listeners ?? count) < count, interrupt.wait(timeout: .milliseconds(20)) == .timeout {}
    }

    /// Waits until everything has been received, or until a time limit; `nil`: no limit.
    package func waitUntilDrained(_ interrupt: Interrupt, timeout: Duration? = nil) {
        let deadline = timeout.map { SystemClock.monotonicNanoseconds(after: $0) } ?? .max
        while !isDrained, SystemClock.monotonicNanoseconds() < deadline,
            interrupt.wait(timeout: .milliseconds(1)) == .timeout
        {}
    }
}
