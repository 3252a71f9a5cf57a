package import Taffrail
package import TaffrailGeo
package import TaffrailText

/// Sends events as the sentences of a receiver, in a form that gpsd reads back unchanged.
package final class NMEAOutput: GeoOutput {
    private let line: any NMEALine
    private let writer = NMEAWriter()
    private let receiver = Locked(Receiver())

    /// The only receiver whose positions are sent, because sentences do not name the receiver.
    private struct Receiver {
        var device: String??
        var hasReported = false
        var state = SentenceState()
    }

    /// The interval of epochs in the lead-in.
    private static let leadInStep = Duration.milliseconds(100)

    package init(_ line: any NMEALine) { self.line = line }

    package var name: String { line.name }
    package var listeners: Int? { line.listeners }
    package var isDrained: Bool { line.isDrained }
    package func close() { line.close() }

    package func prepare(for first: Timestamp, _ interrupt: Interrupt) {
        let count = Int(line.leadIn / Self.leadInStep)
        guard count > 0 else { return }
        let start = SystemClock.monotonicNanoseconds()
        for index in 0..<count {
            var bytes: [UInt8] = []
            let time = first - Self.leadInStep * (count - index)
            // 1970-01-01 represents an unknown time.
            writer.appendNoFix(at: first.nanoseconds == 0 ? nil : time, to: &bytes)
            try? line.send(bytes)
            let due = start + (Self.leadInStep * (index + 1)).nanoseconds
            let left = Duration.nanoseconds(due - SystemClock.monotonicNanoseconds())
            if interrupt.wait(timeout: left) == .interrupted { return }
        }
    }

    /// Returns whether a receiver is the first one.
    private func isChosen(_ device: String?) -> Bool {
        let (isChosen, reports) = receiver.withLock { receiver in
            let isChosen = (receiver.device ?? .some(device)) == device
            if receiver.device == nil { receiver.device = .some(device) }
            defer { receiver.hasReported = receiver.hasReported || !isChosen }
            return (isChosen, !isChosen && !receiver.hasReported)
        }
        if reports {
            Diagnostics.report(
                "\(name): positions of \(device ?? "an unnamed receiver") are omitted: NMEA has a single receiver")
        }
        return isChosen
    }

    /// Returns whether an error comes from the first receiver. Before the first position, every error may.
    private func isChosen(_ error: GeoError) -> Bool {
        guard let device = error.device, let chosen = receiver.withLock({ $0.device }) else { return true }
        return chosen == device
    }

    package func send(_ event: RecordedEvent) throws(SystemError) {
        var bytes: [UInt8] = []
        switch event.event {
        case .location(let location):
            guard isChosen(location.extra.device) else { return }
            receiver.withLock { $0.state.append(location, at: event.timestamp, with: writer, to: &bytes) }
        case .error(let error):
            guard error.replayJump == nil, isChosen(error) else { return }
            _ = receiver.withLock { $0.state.append(error, at: event.timestamp, with: writer, to: &bytes) }
        case .log: return
        }
        try line.send(bytes)
    }
}
