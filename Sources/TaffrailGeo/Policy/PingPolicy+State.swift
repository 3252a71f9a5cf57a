package import Taffrail
internal import TaffrailText

extension PingPolicy {
    /// The state of a policy between fixes. It can be stored as JSON with the sent pings, so that a policy continues
    /// exactly where it ended.
    package struct State: Sendable, Hashable {
        package var mode = PingMode.stationaryDay
        package var modeSince: Timestamp?
        package var isHome = false
        package var motion = MotionEstimate()
        /// The time of the last fix.
        package var lastFix: Timestamp?
        /// The last ping.
        package var lastPing: Location?
        /// When the interval began: the time of the last ping, or the time to which the clock was set back.
        package var intervalStart: Timestamp?
        /// When a ping or a heartbeat was last sent.
        package var lastSent: Timestamp?

        /// The state before the first fix.
        package init() {}
    }
}

extension PingPolicy.State {
    /// The state as one line of JSON.
    package var json: [UInt8] {
        var entries = [LogValueEntry("mode", .string(mode.rawValue)), LogValueEntry("home", .bool(isHome))]
        func add(_ name: String, _ time: Timestamp?) {
            if let time { entries.append(LogValueEntry(name, .int(time.nanoseconds))) }
        }
        add("mode_since", modeSince)
        add("last_fix", lastFix)
        add("interval_start", intervalStart)
        add("last_sent", lastSent)
        entries.append(LogValueEntry("moving", .bool(motion.isMoving)))
        add("slow_since", motion.slowSince)
        if let estimate = motion.estimate { entries.append(LogValueEntry("estimate", .double(estimate))) }
        if let anchor = motion.anchor {
            entries.append(LogValueEntry("anchor_latitude", .double(anchor.coordinate.latitude)))
            entries.append(LogValueEntry("anchor_longitude", .double(anchor.coordinate.longitude)))
            entries.append(LogValueEntry("anchor_accuracy", .double(anchor.accuracy)))
            add("anchor_time", anchor.time)
        }
        if let lastPing {
            add("ping_time", lastPing.timestamp)
            entries.append(LogValueEntry("ping", .map(lastPing.attributes)))
        }
        return LogValue.map(entries).json
    }

    /// Reads a state.
    ///
    /// - Returns: `nil` for anything else.
    package init?(json: some Collection<UInt8>) {
        guard let values = LogValue(json: json), let mode = values["mode"]?.text.flatMap({ PingMode(rawValue: $0) }),
            let isHome = values["home"]?.flag, let isMoving = values["moving"]?.flag
        else { return nil }
        func time(_ name: String) -> Timestamp? { values[name]?.integer.map { Timestamp(nanoseconds: $0) } }
        self.init()
        self.mode = mode
        self.isHome = isHome
        modeSince = time("mode_since")
        lastFix = time("last_fix")
        intervalStart = time("interval_start")
        lastSent = time("last_sent")
        motion.isMoving = isMoving
        motion.slowSince = time("slow_since")
        motion.estimate = values["estimate"]?.number
        if let latitude = values["anchor_latitude"]?.number, let longitude = values["anchor_longitude"]?.number,
            let accuracy = values["anchor_accuracy"]?.number, let time = time("anchor_time")
        {
            motion.anchor = MotionEstimate.Anchor(
                coordinate: Coordinate(latitude: latitude, longitude: longitude), time: time, accuracy: accuracy)
        }
        if let attributes = values["ping"]?.entries, let time = time("ping_time") {
            lastPing = Location(attributes: attributes, received: time)
        }
    }
}
