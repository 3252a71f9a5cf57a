internal import Synchronization
package import Taffrail

/// What NMEA sentences travel on.
package protocol NMEALine: AnyObject, Sendable {
    /// What to tell a person.
    var name: String { get }
    /// How many programs listen; `nil` where that cannot be known.
    var listeners: Int? { get }
    /// Whether everything has been taken.
    var isDrained: Bool { get }
    /// For how long epochs without a fix go before the first one, in nanoseconds: listeners need the first ones to find
    /// out what they have before them.
    var leadIn: Int64 { get }
    /// Sends the sentences of an epoch.
    func send(_ bytes: [UInt8]) throws(SystemFailure)
    /// Ends it.
    func close()
}

/// Events as the sentences of a receiver, in the way gpsd reads them back.
package final class NMEAOutput: GeoOutput {
    private let line: any NMEALine
    private let writer = NMEAWriter()
    /// The last fix's time, and that of its event.
    private let last = Mutex<(fix: Timestamp, event: Timestamp)?>(nil)

    /// Between two epochs of the lead-in, in nanoseconds.
    private static let leadInStep: Int64 = 100_000_000

    package init(_ line: any NMEALine) { self.line = line }

    package var name: String { line.name }
    package var listeners: Int? { line.listeners }
    package var isDrained: Bool { line.isDrained }
    package func close() { line.close() }

    package func prepare(for first: Timestamp, _ interrupt: Interrupt) {
        let count = line.leadIn / Self.leadInStep
        guard count > 0 else { return }
        let start = Uptime.now
        for index in 0..<count {
            var bytes: [UInt8] = []
            writer.appendNoFix(at: first - Double((count - index) * Self.leadInStep) / 1e9, to: &bytes)
            try? line.send(bytes)
            let due = start + (index + 1) * Self.leadInStep
            if interrupt.wait(nanoseconds: due - Uptime.now) == .interrupted { return }
        }
    }

    package func send(_ event: RecordedEvent) throws(SystemFailure) {
        var bytes: [UInt8] = []
        switch event.event {
        case .location(let location):
            writer.append(location, to: &bytes)
            last.withLock { $0 = (location.timestamp, event.timestamp) }
        case .error(let error):
            guard error.replayJump == nil else { return }
            // Receivers go by the time of fixes, which is not that at which events came.
            let moment = last.withLock { last in
                last.map { $0.fix + event.timestamp.seconds(since: $0.event) } ?? event.timestamp
            }
            writer.appendNoFix(at: moment, to: &bytes)
        case .log: return
        }
        try line.send(bytes)
    }
}
