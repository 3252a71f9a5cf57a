internal import Taffrail
internal import TaffrailGeo

/// The fields of a phone's position besides the position itself, as attributes.
struct DeviceState {
    /// The level of the battery, from 0 to 1.
    var battery: Double?
    /// Whether the battery is being charged.
    var isCharging: Bool?
    /// The event that caused the device to send its position.
    var trigger: String?
    /// The user, in OwnTracks' sense.
    var user: String?
    /// The activity of the person who carries the device, such as `walking`.
    var motion: [String] = []

    /// The attributes of all known fields.
    var attributes: [LogValueEntry] {
        var entries: [LogValueEntry] = []
        if let battery, (0...1).contains(battery) {
            entries.append(LogValueEntry(PingAttributes.battery, .double(battery)))
        }
        if let isCharging { entries.append(LogValueEntry(PingAttributes.charging, .bool(isCharging))) }
        if let trigger { entries.append(LogValueEntry(PingAttributes.trigger, .string(trigger))) }
        if let user { entries.append(LogValueEntry(OriginAttributes.user, .string(user))) }
        if !motion.isEmpty {
            entries.append(LogValueEntry("taffrail.geo.motion", .array(motion.map { .string($0) })))
        }
        return entries
    }
}
