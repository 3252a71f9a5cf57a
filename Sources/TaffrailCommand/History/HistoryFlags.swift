#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailReading
internal import TaffrailStore
#if Configuration
internal import TaffrailConfiguration
#endif

/// The store of a command.
struct HistoryStore: ParsableArguments {
    @OptionGroup var flags: StoreFlags

    func place() throws -> StorePlace { try flags.place(of: "location-store", standard: TrackStore.defaultPath) }

    /// Returns the places of the configuration.
    func places() throws -> [NamedPlace] {
        #if Configuration
        // A named store needs no configuration, and the one on the search path may be another program's.
        guard flags.store == nil || flags.config != nil, let (_, plan) = try ConfigurationFlag.plan(flags.config) else {
            return []
        }
        return (plan.sections[PlacesOptions.section] as? PlacesOptions)?.places ?? []
        #else
        return []
        #endif
    }

    /// Opens the store for reading.
    func reader() throws -> StoreReader {
        let place = try place()
        do throws(StoreError) { return try StoreReader(place.path) } catch { throw Self.exitCode(error) }
    }

    /// Prints an error, and returns its exit code.
    static func exitCode(_ error: StoreError) -> ExitCode { StorePlace.exitCode(error) }

    /// Runs a command in the program that writes the store, or else in this one.
    ///
    /// - Parameter body: Runs it with a store that no other process writes.
    func execute(_ command: ControlCommand, _ body: (TrackStore) throws -> ControlCommand.Answer) throws
        -> ControlCommand.Answer
    {
        let place = try place()
        // A timer may fire before the first position.
        let mayBeMissing = ["import", "maintain"].contains(command.name)
        return try place.execute(command, mayBeMissing: mayBeMissing) { try body(TrackStore.at(place.path)) }
    }

    /// Deletes points, and prints how many.
    func delete(_ command: ControlCommand, _ body: (TrackStore) throws -> Int) throws {
        let isErasing = ["purge", "clear"].contains(command.name)
        let answer = try execute(command) { store in
            let count = try body(store)
            return isErasing
                ? store.deletion(count) : ControlCommand.Answer([LogValueEntry("purged", .int(Int64(count)))])
        }
        StoreFlags.complainOfRest(answer, of: "points")
        print("\(answer["purged"] ?? .int(0)) points deleted")
    }
}

/// The selection of points for a command.
struct HistoryFilter: ParsableArguments {
    @Option(help: ArgumentHelp("Only points of this time or later: \(TimeArgument.forms).", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only points before this time.", valueName: "time"))
    var until: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only points within latitudes and longitudes: S,W,N,E in degrees.", valueName: "box"))
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
        query.since = try since.map { try Self.time($0, "--since") }
        query.until = try until.map { try Self.time($0, "--until") }
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

    static func time(_ text: String, _ flag: String) throws -> Timestamp {
        guard let nanoseconds = TimeArgument.nanoseconds(text) else {
            throw ValidationError("\(flag) \(text): not a time such as \(TimeArgument.forms)")
        }
        return Timestamp(nanoseconds: nanoseconds)
    }

    private static func box(_ text: String) throws -> CoordinateBox {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        let corners =
            numbers.count == 4
            ? [
                Coordinate(latitude: numbers[0], longitude: numbers[1]),
                Coordinate(latitude: numbers[2], longitude: numbers[3]),
            ] : []
        guard corners.count == 2, corners.allSatisfy(\.isValid), numbers[0] <= numbers[2] else {
            throw ValidationError(
                "--box \(text): must be south,west,north,east in degrees, such as 55.5,12.4,55.8,12.7")
        }
        return CoordinateBox(southWest: corners[0], northEast: corners[1])
    }
}
#endif
