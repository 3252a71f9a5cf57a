internal import Taffrail
internal import TaffrailGeo

/// The commands for simulated positions.
///
/// `set` with `latitude` and `longitude`; `start` with `points`, a list of such objects, and optionally `speed`, `loop`
/// and `accuracy`; `clear`.
enum SimulatedControl {
    static func execute(_ command: ControlCommand, _ locations: SimulatedLocations) throws -> ControlCommand.Answer {
        switch command.name {
        case "set":
            try command.expect("latitude", "longitude", "accuracy")
            locations.set(try route([command.coordinate()], command))
        case "start":
            try command.expect("points", "speed", "loop", "accuracy")
            guard case .array(let elements)? = command["points"], !elements.isEmpty else {
                throw OptionError("points", "must be a list of points, each with latitude and longitude")
            }
            let points = try elements.map { element in
                guard case .map(let entries) = element else {
                    throw OptionError("points", "a point must have latitude and longitude")
                }
                return try ControlCommand("point", entries).coordinate()
            }
            locations.set(try route(points, command))
        case "clear":
            try command.expect()
            locations.clear()
        default: throw command.unknown(among: "set", "start", "clear")
        }
        return ControlCommand.Answer()
    }

    private static func route(_ points: [Coordinate], _ command: ControlCommand) throws(OptionError) -> SimulatedRoute {
        let speed = try command.number("speed") ?? 20
        guard (0.01...10_000).contains(speed) else { throw OptionError("speed", "must be from 0.01 to 10000") }
        let accuracy = try command.number("accuracy") ?? 5
        guard (0...100_000).contains(accuracy) else { throw OptionError("accuracy", "must be from 0 to 100000") }
        let loops = try command.flag("loop") ?? false
        guard let route = SimulatedRoute(points, speed: speed, loops: loops, accuracy: accuracy) else {
            throw OptionError("points", "are not a valid route")
        }
        return route
    }
}
