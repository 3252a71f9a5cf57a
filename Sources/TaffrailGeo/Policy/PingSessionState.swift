package import Taffrail
internal import TaffrailText

/// The state of a ``PingSession`` between runs, besides the policy's state.
package struct PingSessionState: Sendable, Hashable {
    /// The periods in which pings are stopped.
    package var pauses = PingPauses()
    /// When a ping that has not been sent was requested.
    package var requested: Timestamp?
    /// The number of decisions by reason.
    package var counts: [PingDecision.Reason: Int] = [:]
    /// The last decision, without a ping.
    package var last: PingDecision?
    /// The position of the last significant change.
    package var significant: Coordinate?
    /// The receiver in use.
    var receiver = ReceiverChoice()

    /// How long a requested ping waits for a fix.
    private static let requestTime = Duration.minutes(2)

    package init() {}

    /// Returns whether the next fix is sent, by its time of receipt.
    package func isRequested(at now: Timestamp) -> Bool {
        requested.map { now >= $0 && now - $0 < Self.requestTime } ?? false
    }

    /// Counts a decision.
    mutating func note(_ decision: PingDecision) {
        counts[decision.reason, default: 0] &+= 1
        last = decision
        last?.ping = nil
    }

    /// Adapts the times to the wall clock, which may have been set back.
    mutating func review(at now: Timestamp) {
        pauses.review(at: now)
        // The request expires by the times of records: the queue may still contain a record from before its expiry.
        if let requested, requested > now { self.requested = now }
    }

    /// Ends a request that has waited too long when a record was logged.
    mutating func expireRequest(at now: Timestamp) {
        if let requested, now - requested >= Self.requestTime { self.requested = nil }
    }

    // MARK: JSON

    /// Returns this state and the policy's as one line of JSON.
    func json(with policy: PingPolicy.State) -> [UInt8] {
        var object = JSONObject()
        object.add("policy", json: String(decoding: policy.json, as: UTF8.self))
        func add(_ name: String, _ value: LogValue?) {
            if let value { object.add(name, value: value) }
        }
        if !pauses.isEmpty { add("pauses", pauses.value) }
        add("requested", requested.map { .int($0.nanoseconds) })
        add("receiver", receiver.used.map { .string($0) })
        add("seen", receiver.seen.map { .int($0.nanoseconds) })
        add("significant", significant.map { .array([.double($0.latitude), .double($0.longitude)]) })
        if let last {
            add("last", .array([.string(last.mode.rawValue), .string(last.reason.rawValue)]))
            add("speed", last.speed.map { .double($0) })
        }
        let counts = counts.map { LogValueEntry($0.key.rawValue, .int(Int64($0.value))) }
        add("decisions", .map(counts.sorted { $0.key < $1.key }))
        return object.closed
    }

    /// Continues from such a line; unreadable values are ignored.
    ///
    /// - Returns: The state of the policy.
    mutating func restore(_ json: [UInt8]) -> PingPolicy.State? {
        guard let values = LogValue(json: json), values.entries != nil else { return nil }
        func time(_ name: String) -> Timestamp? { values[name]?.integer.map { Timestamp(nanoseconds: $0) } }
        if let list = values["pauses"]?.elements { pauses = PingPauses(list) }
        requested = time("requested")
        if let name = values["receiver"]?.text { receiver.restore(name, seen: time("seen")) }
        if let numbers = values["significant"]?.elements?.compactMap(\.number), numbers.count == 2 {
            significant = Coordinate(latitude: numbers[0], longitude: numbers[1])
        }
        if let list = values["last"]?.elements, list.count == 2,
            let mode = list[0].text.flatMap({ PingMode(rawValue: $0) }),
            let reason = list[1].text.flatMap({ PingDecision.Reason(rawValue: $0) })
        {
            last = PingDecision(mode: mode, reason: reason, trigger: .fix, ping: nil, speed: values["speed"]?.number)
        }
        for entry in values["decisions"]?.entries ?? [] {
            guard let reason = PingDecision.Reason(rawValue: entry.key), let count = entry.value.integer else {
                continue
            }
            counts[reason] = Int(count)
        }
        return values["policy"].flatMap { PingPolicy.State(json: $0.json) }
    }
}
