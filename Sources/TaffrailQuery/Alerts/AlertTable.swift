package import Taffrail
internal import TaffrailText

/// The states of all rules, the alerts that have not been reported yet, and their changes by records and time.
package struct AlertTable: Sendable, Equatable {
    /// A time on both clocks.
    package struct Time: Sendable {
        /// The time of day.
        package var wall: Timestamp
        /// The monotonic clock, in nanoseconds.
        package var monotonic: Int64

        /// Creates a time.
        package init(wall: Timestamp = .now, monotonic: Int64 = SystemClock.monotonicNanoseconds()) {
            self.wall = wall
            self.monotonic = monotonic
        }
    }

    /// A rule and its states.
    struct Entry: Sendable, Equatable {
        var rule: AlertRule
        /// The states by device; by an empty name if the rule does not distinguish devices.
        var states: [ExactText: AlertState] = [:]
        /// The number of records that were not counted, because the rule has too many devices.
        var uncounted = 0
    }

    /// The position up to which the records of a run have been taken.
    struct Mark: Sendable, Equatable {
        var run: RingID
        var position: UInt64
    }

    var entries: [Entry] = []
    /// The alerts that have not been logged yet, the oldest first.
    var pending: [Alert] = []
    /// The number of the oldest alerts that have been dropped, because nothing logged them.
    var dropped = 0
    /// The runs; the run with the last records is at the end.
    var marks: [Mark] = []
    /// The number of alerts that have been raised.
    var serial: Int64 = 0
    /// Whether the table differs from the stored one, except in values that may be lost.
    var isChanged = false

    /// The maximum number of alerts that are not logged yet.
    static let mostPending = 1_000
    /// The maximum number of runs whose positions are kept.
    static let mostMarks = 160

    /// Creates a table without rules.
    package init() {}

    // MARK: Rules

    /// Replaces the rules. A rule that is equivalent to an old one keeps its state; alerts of the other old rules are
    /// discarded.
    mutating func use(_ rules: [AlertRule], at now: Time) {
        var new: [Entry] = []
        for rule in rules {
            var entry = entries.first { $0.rule.hasState(of: rule) } ?? Entry(rule: rule)
            entry.rule = rule
            if !rule.isByDevice {
                if entry.states[""] == nil { entry.states[""] = AlertState(now: now.monotonic) }
            } else {
                for device in rule.devices.map({ ExactText($0) }) where entry.states[device] == nil {
                    entry.states[device] = AlertState(now: now.monotonic)
                }
            }
            new.append(entry)
        }
        guard new != entries else { return }
        entries = new
        isChanged = true
    }

    // MARK: Records

    /// Returns the position up to which the records of a run have been taken.
    func position(in run: RingID) -> UInt64? { marks.last { $0.run == run }?.position }

    /// Sets the position up to which the records of a run have been taken. This change alone is not stored, because
    /// records that are taken again have no effect.
    mutating func mark(_ run: RingID, _ position: UInt64) {
        if let last = marks.last, last.run == run {
            marks[marks.count - 1].position = position
            return
        }
        marks.removeAll { $0.run == run }
        marks.append(Mark(run: run, position: position))
        if marks.count > Self.mostMarks { marks.removeFirst() }
    }

    /// Counts a record.
    mutating func take(_ record: StoredRecord, at now: Time) {
        // A rule about alerts would raise them endlessly.
        guard record.eventName != Alert.event else { return complete(record) }
        for index in entries.indices where entries[index].rule.selection.matches(record) {
            let device = ExactText(entries[index].rule.isByDevice ? record.device : "")
            guard !entries[index].rule.isByDevice || !device.text.isEmpty else { continue }
            if entries[index].states[device] == nil {
                guard entries[index].states.count < AlertRule.mostDevices,
                    device.text.utf8.count <= AlertRule.longestName
                else {
                    entries[index].uncounted &+= 1
                    continue
                }
                entries[index].states[device] = AlertState(now: now.monotonic)
                isChanged = true
            }
            // Records logged by a clock that is ahead must not move the window.
            let time = min(record.arrival, now.wall)
            entries[index].states[device]?.last = time
            switch entries[index].rule.condition {
            case .threshold:
                let step = time.nanoseconds / entries[index].rule.step
                let current = now.wall.nanoseconds / entries[index].rule.step
                entries[index].states[device]?.forget(after: current)
                entries[index].states[device]?.count(step)
                isChanged = true
                evaluate(index, device, step, now)
            case .silence:
                entries[index].states[device]?.silentSince = now.monotonic
                resolve(index, device, now)
            }
        }
    }

    /// Handles the record of an alert, which shows that the alert has been logged.
    private mutating func complete(_ record: StoredRecord) {
        guard pending.contains(where: { $0.isReported(by: record) }) else { return }
        pending.removeAll { $0.isReported(by: record) }
        isChanged = true
    }

    // MARK: Time

    /// Raises the alerts that are due, and ends those whose condition no longer holds.
    mutating func tick(_ now: Time) {
        for index in entries.indices {
            let rule = entries[index].rule
            for (device, state) in entries[index].states {
                switch rule.condition {
                case .threshold where state.raised == nil: continue
                case .threshold:
                    let step = now.wall.nanoseconds / rule.step
                    entries[index].states[device]?.forget(after: step)
                    evaluate(index, device, step, now)
                case .silence(let silence):
                    guard state.raised == nil, now.monotonic &- state.silentSince >= silence.nanoseconds else {
                        continue
                    }
                    raise(index, device, count: 0, now)
                }
            }
        }
    }

    private mutating func evaluate(_ index: Int, _ device: ExactText, _ step: Int64, _ now: Time) {
        guard case .threshold(let threshold, _) = entries[index].rule.condition,
            let state = entries[index].states[device]
        else { return }
        let total = state.total(at: step)
        if state.raised == nil {
            if total >= threshold { raise(index, device, count: total, now) }
        } else if total < threshold - total {
            resolve(index, device, count: total, now)
        }
    }

    private mutating func raise(_ index: Int, _ device: ExactText, count: Int, _ now: Time) {
        serial &+= 1
        let raised = AlertState.Raised(
            id: String(UInt64(bitPattern: now.wall.nanoseconds), radix: 16) + "-\(serial)", time: now.wall)
        entries[index].states[device]?.raised = raised
        report(Alert(entries[index].rule, device: device.text, raised, end: nil, count: count))
    }

    private mutating func resolve(_ index: Int, _ device: ExactText, count: Int = 0, _ now: Time) {
        guard let raised = entries[index].states[device]?.raised else { return }
        entries[index].states[device]?.raised = nil
        report(Alert(entries[index].rule, device: device.text, raised, end: max(now.wall, raised.time), count: count))
    }

    private mutating func report(_ alert: Alert) {
        pending.append(alert)
        isChanged = true
        guard pending.count > Self.mostPending else { return }
        pending.removeFirst()
        dropped &+= 1
    }

    /// Removes alerts that have been logged.
    mutating func remove(_ alerts: [Alert]) {
        let logged = Set(alerts)
        let count = pending.count
        pending.removeAll { logged.contains($0) }
        if pending.count < count { isChanged = true }
    }
}
