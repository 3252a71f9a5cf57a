internal import Dispatch
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailLocationManager

/// The commands for the home: `set` with `latitude` and `longitude`, or without for the current position; `show`;
/// `clear`.
struct HomeControl {
    /// The address of these commands on the control socket.
    static let name = "home"
    /// The greatest age of a position that counts as the current one.
    private static let freshness = Duration.minutes(10)

    let file: HomeFile
    var home = Home.shared
    var feed = LocationFeed.shared

    /// - Parameter directory: The state directory.
    init(_ directory: String) { file = HomeFile(in: directory) }

    /// Runs a command.
    ///
    /// - Parameter request: Waits for one position, if there is no recent one.
    func execute(
        _ command: ControlCommand, now: Timestamp = .now, request: () throws -> Location = Self.request
    ) throws -> ControlCommand.Answer {
        switch command.name {
        case "set":
            try command.expect("latitude", "longitude")
            if command["latitude"] != nil || command["longitude"] != nil {
                return try set(try command.coordinate(), from: "command")
            }
            if let latest = feed.latest, now - latest.timestamp <= Self.freshness,
                latest.timestamp - now <= Self.freshness
            {
                return try set(latest.coordinate, from: "last position", latest.horizontalAccuracy)
            }
            let location = try request()
            return try set(location.coordinate, from: "requested position", location.horizontalAccuracy)
        case "show":
            try command.expect()
            return ControlCommand.Answer(Self.fields(home.coordinate ?? file.load()))
        case "clear":
            try command.expect()
            try file.remove()
            home.coordinate = nil
            return ControlCommand.Answer()
        default: throw command.unknown(among: "set", "show", "clear")
        }
    }

    private func set(
        _ coordinate: Coordinate, from origin: String, _ accuracy: Double? = nil
    ) throws -> ControlCommand.Answer {
        try file.store(coordinate)
        home.coordinate = coordinate
        var fields = Self.fields(coordinate) + [LogValueEntry("from", .string(origin))]
        if let accuracy { fields.append(LogValueEntry("accuracy", .double(accuracy))) }
        return ControlCommand.Answer(fields)
    }

    private static func fields(_ coordinate: Coordinate?) -> [LogValueEntry] {
        guard let coordinate else { return [] }
        return [
            LogValueEntry("latitude", .double(coordinate.latitude)),
            LogValueEntry("longitude", .double(coordinate.longitude)),
        ]
    }

    /// Waits for one position from the program's inputs or, without any, from the machine's receiver. Blocks the thread
    /// for up to 11 s, in which no other command runs.
    static func request() throws -> Location {
        let manager = LocationManager(queue: DispatchQueue(label: "taffrail.home"))
        manager.desiredAccuracy = LocationAccuracy.hundredMeters
        let result = Locked<Location?>(nil)
        let failure = Locked("no position in time")
        let end = DispatchSemaphore(value: 0)
        let listener = manager.addListener { event in
            switch event {
            case .location(let location):
                result.withLock { $0 = $0 ?? location }
                end.signal()
            case .error(let error):
                failure.withLock { $0 = error.description }
                // If there is no fix yet, one may still arrive.
                if error.code != 0 { end.signal() }
            default: break
            }
        }
        manager.requestLocation()
        _ = end.wait(timeout: .now() + .seconds(11))
        withExtendedLifetime(listener) {}
        guard let location = result.withLock({ $0 }) else { throw OptionError("home", failure.withLock { $0 }) }
        return location
    }
}
