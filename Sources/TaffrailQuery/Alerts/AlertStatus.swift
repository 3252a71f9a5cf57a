public import Taffrail
internal import TaffrailText

/// A rule, and the alerts that it has raised and that have not ended.
public struct AlertStatus: Sendable, Hashable {
    /// An alert.
    public struct Raised: Sendable, Hashable {
        /// The identity that the records of its beginning and its end share.
        public var id: String
        /// The device; `nil` if the rule does not distinguish devices.
        public var device: String?
        /// The time at which it was raised.
        public var since: Timestamp
        /// The number of records in the window; `nil` for silence.
        public var count: Int?
        /// The time of the last record; `nil` if none is known.
        public var last: Timestamp?
    }

    /// The rule.
    public var rule: AlertRule
    /// The alerts, the oldest first.
    public var raised: [Raised]
    /// The number of records in the window: the maximum of all devices. Default `nil`: unknown, or the rule is about
    /// silence.
    public var count: Int? = nil
    /// The time of the last record, of any device. Default `nil`: none is known.
    public var last: Timestamp? = nil
    /// The number of known devices; `nil` if the rule does not distinguish them.
    public var devices: Int?
    /// The number of records that were not counted, because the rule has too many devices.
    public var uncounted: Int

    /// Reads the rules of a file, in their order.
    ///
    /// - Parameter path: The file of a sink `alerts`, of this or another program. A missing file has no rules.
    /// - Throws: ``LogQueryError`` if it cannot be read.
    public static func read(_ path: String) throws(LogQueryError) -> [AlertStatus] {
        if let known = AlertBook.open(at: path)?.withTable({ $0.status(at: $1) }) { return known }
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try AlertBook.bytes(path) } catch {
            throw LogQueryError(.unavailable, "\(error)")
        }
        guard let bytes, !bytes.isEmpty else { return [] }
        let now = AlertTable.Time()
        guard let table = AlertTable(json: bytes, now: now.monotonic) else {
            throw LogQueryError(.unreadable, "\(path) is damaged or has a later version")
        }
        return table.status(at: now)
    }
}

extension AlertTable {
    /// Returns the state of the rules at a time.
    func status(at now: Time) -> [AlertStatus] {
        entries.map { entry in
            let rule = entry.rule
            let raised = entry.states.compactMap { device, state -> AlertStatus.Raised? in
                guard let alert = state.raised else { return nil }
                let count = rule.step > 0 ? state.total(at: now.wall.nanoseconds / rule.step) : nil
                return AlertStatus.Raised(
                    id: alert.id, device: rule.isByDevice ? device.text : nil, since: alert.time, count: count,
                    last: state.last)
            }
            let counts =
                rule.step > 0 ? entry.states.values.map { $0.total(at: now.wall.nanoseconds / rule.step) } : []
            return AlertStatus(
                rule: rule, raised: raised.sorted { ($0.since, $0.id) < ($1.since, $1.id) },
                count: counts.max(), last: entry.states.values.compactMap(\.last).max(),
                devices: rule.isByDevice ? entry.states.count : nil, uncounted: entry.uncounted)
        }
    }
}
