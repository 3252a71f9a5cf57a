#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery
internal import TaffrailReading
internal import TaffrailStore

/// The selection of points for a command.
struct HistoryFilter: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only points of this time or later: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeOption.time)
    var since: Timestamp?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Only points before this time.", valueName: "time"),
        transform: TimeOption.time)
    var until: Timestamp?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only points within this box: south,west,north,east in degrees.", valueName: "box"))
    var box: String?

    @Option(help: ArgumentHelp("Only points of a device.", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("Only points of a session.", valueName: "name"))
    var session: String?

    @Option(help: ArgumentHelp("Only points within a place of the configuration.", valueName: "name"))
    var place: String?

    /// Returns the query, without a limit.
    func query(_ store: HistoryStore) throws -> TrackQuery {
        var query = TrackQuery()
        query.since = since
        query.until = until
        query.box = try box.map(Self.box)
        query.device = device
        query.session = session
        if let place {
            let places = try store.places()
            guard let found = places.first(where: { $0.name == place }) else {
                let names = places.map(\.name).joined(separator: ", ")
                throw ValidationError("--place \(place): the configuration has \(names.isEmpty ? "no places" : names)")
            }
            query.place = found
        }
        return query
    }

    private static func box(_ text: String) throws -> CoordinateBox {
        guard let box = CoordinateBox(text) else {
            throw ValidationError(
                "--box \(text): must be south,west,north,east in degrees, such as 55.5,12.4,55.8,12.7")
        }
        return box
    }
}
#endif
