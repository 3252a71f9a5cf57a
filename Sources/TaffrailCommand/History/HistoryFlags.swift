#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailReading
internal import TaffrailStore
internal import TaffrailTransport
#if Configuration
internal import TaffrailConfiguration
#endif

/// Which store a command is about.
struct HistoryStore: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration that has a location-store (default: where taffrail run looks).", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The database.", valueName: "path"))
    var store: String?

    /// A store, and where the program that may be writing it has its state.
    struct Place {
        var path: String
        var stateDirectories: [String]
    }

    /// Finds the store: the one that is named, that of the configuration, else the program's own.
    func place() throws -> Place {
        if let store { return Self.place(store) }
        #if Configuration
        if let (file, plan) = try ConfigurationFlag.plan(config) {
            let sinks = plan.plugins.filter { $0.plugin.plugin == "location-store" }
            guard let sink = sinks.first else {
                StandardStream.complain("\(file) has no location-store")
                throw ExitCode.noInput
            }
            guard sinks.count == 1 else {
                let names = sinks.map(\.name).joined(separator: ", ")
                throw ValidationError("\(file) has several stores (\(names)); name one with --store")
            }
            let instance = PluginInstance(named: sink.name)
            guard let path = sink.plugin.options.destinations(of: instance).first else { throw ExitCode.noInput }
            return Place(path: path, stateDirectories: plan.stateDirectories)
        }
        #endif
        return Self.place(TrackStore.defaultPath)
    }

    /// The places of the configuration.
    func places() throws -> [NamedPlace] {
        #if Configuration
        // A store that is named needs no configuration, and the one on the search path may be another program's.
        guard store == nil || config != nil, let (_, plan) = try ConfigurationFlag.plan(config) else { return [] }
        return (plan.sections[PlacesOptions.section] as? PlacesOptions)?.places ?? []
        #else
        return []
        #endif
    }

    private static func place(_ path: String) -> Place {
        Place(
            path: DestinationPath.resolved(path),
            stateDirectories: [(Directory.parent(of: DestinationPath.resolved(path)) ?? ".") + "/.taffrail"])
    }

    /// Opens the store for reading.
    func reader() throws -> StoreReader {
        let place = try place()
        do throws(StoreError) { return try StoreReader(place.path) } catch { throw Self.exitCode(error) }
    }

    /// Prints what is wrong, and returns the exit code for it.
    static func exitCode(_ error: StoreError) -> ExitCode {
        StandardStream.complain("\(error)")
        switch error.kind {
        case .missing, .denied: return .noInput
        case .corrupt, .newer, .foreign: return .dataError
        case .busy, .full, .other: return .inputOutput
        }
    }

    /// Has something done by the program that writes the store, or else by this one.
    ///
    /// - Parameter body: Does it with a store that no other process writes.
    func carryOut(_ command: ControlCommand, _ body: (TrackStore) throws -> ControlCommand.Answer) throws
        -> ControlCommand.Answer
    {
        let place = try place()
        // A timer may come before the first position.
        guard FileName.exists(place.path) || ["import", "maintain"].contains(command.name) else {
            StandardStream.complain("\(place.path): there is no store")
            throw ExitCode.noInput
        }
        do {
            return try body(TrackStore.at(place.path))
        } catch let error as StoreError where error.kind == .busy {
            guard let answer = try Self.ask(command, place) else { throw Self.exitCode(error) }
            if let problem = answer.problem {
                StandardStream.complain(problem)
                throw ExitCode.dataError
            }
            return answer
        } catch let error as StoreError {
            throw Self.exitCode(error)
        }
    }

    /// Sends a command to the running program that writes the store; `nil` where none is found.
    private static func ask(_ command: ControlCommand, _ place: Place) throws -> ControlCommand.Answer? {
        for socket in place.stateDirectories.flatMap(ControlPath.sockets) {
            guard let client = try? ControlClient(socket: socket),
                case .array(let names)? = try? client.ask(ControlCommand("status")).answer["plugins"]
            else { continue }
            // A program may have several stores, and others may be beside this one.
            for case .string(let name) in names {
                let status = try? client.ask(ControlCommand("status"), of: name).answer
                guard status?["path"] == .string(place.path) else { continue }
                let hour: Int64 = 3_600_000_000_000
                return try? client.ask(command, of: name, nanoseconds: hour).answer
            }
        }
        return nil
    }
}

/// Which points a command is about.
struct HistoryFilter: ParsableArguments {
    @Option(help: ArgumentHelp("Only points of that time or later: \(TimeArgument.forms).", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only points before that time.", valueName: "time"))
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

    /// The query, without a limit.
    func query(_ store: HistoryStore) throws -> TrackQuery {
        var query = TrackQuery()
        query.since = try since.map { try Self.moment($0, "--since") }
        query.until = try until.map { try Self.moment($0, "--until") }
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

    static func moment(_ text: String, _ flag: String) throws -> Timestamp {
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
