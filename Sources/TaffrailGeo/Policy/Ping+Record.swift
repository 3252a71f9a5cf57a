package import Taffrail
internal import TaffrailText

extension Ping {
    /// The event name of a ping's record.
    package static let eventName = "ping"
    /// The name of the logger of pings and of the attempts to send them.
    package static let logger = "pinger"

    /// Returns the ping as a record, as a spool keeps it until it is sent.
    package func record(at time: Timestamp) -> LogRecord {
        var attributes = location.attributes
        attributes.append(LogValueEntry(PingAttributes.device, .string(deviceID)))
        attributes.append(LogValueEntry(PingAttributes.mode, .string(mode.rawValue)))
        if let battery {
            if let level = battery.level { attributes.append(LogValueEntry(PingAttributes.battery, .double(level))) }
            attributes.append(LogValueEntry(PingAttributes.charging, .bool(battery.isCharging)))
        }
        if trigger != .fix { attributes.append(LogValueEntry(PingAttributes.trigger, .string(trigger.rawValue))) }
        attributes.append(LogValueEntry(PingAttributes.reason, .string(reason.rawValue)))
        if isHeartbeat { attributes.append(LogValueEntry(PingAttributes.heartbeat, true)) }
        return LogRecord(
            timestamp: time, level: .info, message: location.summary, eventName: Self.eventName,
            attributes: attributes, logger: Self.logger)
    }

    /// Creates a ping from its record.
    ///
    /// - Returns: `nil` for any other record.
    package init?(_ record: LogRecord) {
        guard record.eventName == Self.eventName, case .string(let device)? = record[PingAttributes.device],
            case .string(let name)? = record[PingAttributes.mode], let mode = PingMode(rawValue: name),
            let location = Location(attributes: record.attributes, received: record.timestamp)
        else { return nil }
        var battery: BatteryState?
        if case .bool(let isCharging)? = record[PingAttributes.charging] {
            battery = BatteryState(level: nil, isCharging: isCharging)
            if case .double(let level)? = record[PingAttributes.battery] { battery?.level = level }
        }
        self.init(deviceID: device, location: location, mode: mode, battery: battery)
        if case .string(let name)? = record[PingAttributes.trigger], let trigger = PingDecision.Trigger(rawValue: name)
        {
            self.trigger = trigger
        }
        isHeartbeat = record[PingAttributes.heartbeat] == .bool(true)
        if case .string(let name)? = record[PingAttributes.reason], let reason = PingDecision.Reason(rawValue: name) {
            self.reason = reason
        }
    }
}
