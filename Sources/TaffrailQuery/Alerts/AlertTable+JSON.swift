internal import Taffrail
internal import TaffrailText

extension AlertTable {
    /// The format's name, with which a file of alerts begins.
    private static let format = "taffrail-alerts"
    private static let version: Int64 = 1

    /// The table as a file.
    var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(
            json: .map([
                LogValueEntry("format", .string(Self.format)), LogValueEntry("version", .int(Self.version)),
                LogValueEntry("serial", .int(serial)), LogValueEntry("dropped", .int(Int64(dropped))),
                LogValueEntry(
                    "runs", .map(marks.map { LogValueEntry("\($0.run)", .int(Int64(bitPattern: $0.position))) })),
                LogValueEntry("pending", .array(pending.map(\.value))),
                LogValueEntry("rules", .array(entries.map(\.value))),
            ]))
        bytes.append("\n")
        return bytes
    }

    /// Reads a file.
    ///
    /// - Parameter now: The time on the monotonic clock, from which silence is counted.
    /// - Returns: `nil` for a file that is damaged or has a later version.
    init?(json bytes: [UInt8], now: Int64) {
        guard let value = LogValue(json: bytes), value["format"]?.text == Self.format,
            value["version"]?.integer == Self.version
        else { return nil }
        self.init()
        serial = value["serial"]?.integer ?? 0
        dropped = Int(value["dropped"]?.integer ?? 0)
        guard case .map(let runs)? = value["runs"], case .array(let waiting)? = value["pending"],
            case .array(let rules)? = value["rules"]
        else { return nil }
        marks = runs.compactMap { entry in
            guard let run = RingID(entry.key), case .int(let position) = entry.value else { return nil }
            return Mark(run: run, position: UInt64(bitPattern: position))
        }
        pending = waiting.compactMap { Alert($0) }
        entries = rules.compactMap { Entry($0, now: now) }
        guard marks.count == runs.count, pending.count == waiting.count, entries.count == rules.count else {
            return nil
        }
    }
}

extension Alert {
    fileprivate var value: LogValue {
        .map([
            LogValueEntry("id", .string(id)), LogValueEntry("raised", .bool(isRaised)),
            LogValueEntry("level", .string(level.name)), LogValueEntry("message", .string(message)),
            // Times become strings, also for the readers of the record.
            LogValueEntry(
                "attributes",
                .array(
                    attributes.map { entry in
                        guard case .date(let time) = entry.value else {
                            return .array([.string(entry.key), entry.value])
                        }
                        return .array([.string(entry.key), .int(time.nanoseconds), .string("time")])
                    })),
        ])
    }

    fileprivate init?(_ value: LogValue) {
        guard let id = value["id"]?.text, case .bool(let isRaised)? = value["raised"],
            let level = value["level"]?.text.flatMap({ Level(name: $0) }), let message = value["message"]?.text,
            case .array(let pairs)? = value["attributes"]
        else { return nil }
        let attributes = pairs.compactMap { pair -> LogValueEntry? in
            guard case .array(let parts) = pair, parts.count >= 2, case .string(let key) = parts[0] else { return nil }
            if parts.count == 3, case .int(let time) = parts[1] {
                return LogValueEntry(key, .date(Timestamp(nanoseconds: time)))
            }
            return LogValueEntry(key, parts[1])
        }
        self.init(id: id, isRaised: isRaised, level: level, message: message, attributes: attributes)
    }
}

extension AlertTable.Entry {
    fileprivate var value: LogValue {
        var entries = rule.value
        if uncounted > 0 { entries.append(LogValueEntry("uncounted", .int(Int64(uncounted)))) }
        entries.append(
            LogValueEntry(
                "states",
                .map(states.sorted { $0.key < $1.key }.map { LogValueEntry($0.key.text, $0.value.value) })))
        return .map(entries)
    }

    fileprivate init?(_ value: LogValue, now: Int64) {
        guard let rule = AlertRule(value), case .map(let known)? = value["states"] else { return nil }
        self.init(rule: rule)
        uncounted = Int(value["uncounted"]?.integer ?? 0)
        for entry in known { states[ExactText(entry.key)] = AlertState(entry.value, now: now) }
        guard states.count == known.count else { return nil }
    }
}

extension AlertRule {
    fileprivate var value: [LogValueEntry] {
        var entries = [
            LogValueEntry("name", .string(name)), LogValueEntry("query", .string(selection.description)),
            LogValueEntry("level", .string(level.name)), LogValueEntry("by_device", .bool(isByDevice)),
        ]
        switch condition {
        case .threshold(let threshold, let window):
            entries.append(LogValueEntry("threshold", .int(Int64(threshold))))
            entries.append(LogValueEntry("window", .int(window.nanoseconds)))
        case .silence(let silence): entries.append(LogValueEntry("silence", .int(silence.nanoseconds)))
        }
        return entries
    }

    fileprivate init?(_ value: LogValue) {
        guard let name = value["name"]?.text, let query = value["query"]?.text,
            let selection = try? LogSelection(parsing: query),
            let level = value["level"]?.text.flatMap({ Level(name: $0) })
        else { return nil }
        if let silence = value["silence"]?.integer {
            self.init(name, selection, .silence(.nanoseconds(silence)))
        } else if let threshold = value["threshold"]?.integer, let window = value["window"]?.integer {
            self.init(name, selection, .threshold(Int(threshold), window: .nanoseconds(window)))
        } else {
            return nil
        }
        self.level = level
        isByDevice = value["by_device"] == .bool(true)
    }
}

extension AlertState {
    fileprivate var value: LogValue {
        var entries: [LogValueEntry] = []
        if !counts.isEmpty {
            let pairs = counts.flatMap { [LogValue.int($0.step), .int(Int64($0.count))] }
            entries.append(LogValueEntry("counts", .array(pairs)))
        }
        if let last { entries.append(LogValueEntry("last", .int(last.nanoseconds))) }
        if let raised {
            entries.append(LogValueEntry("raised", .string(raised.id)))
            entries.append(LogValueEntry("since", .int(raised.time.nanoseconds)))
        }
        return .map(entries)
    }

    fileprivate init?(_ value: LogValue, now: Int64) {
        guard case .map = value else { return nil }
        self.init(now: now)
        last = value["last"]?.integer.map { Timestamp(nanoseconds: $0) }
        if let id = value["raised"]?.text, let since = value["since"]?.integer {
            raised = Raised(id: id, time: Timestamp(nanoseconds: since))
        }
        guard case .array(let numbers)? = value["counts"] else { return }
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            guard case .int(let step) = numbers[index], case .int(let number) = numbers[index + 1], number > 0 else {
                return nil
            }
            count(step, Int(number))
        }
    }
}
