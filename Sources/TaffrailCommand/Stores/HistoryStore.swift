#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore
#if Configuration
internal import TaffrailConfiguration
#endif

/// The store of a command.
struct HistoryStore: ParsableArguments {
    @OptionGroup var flags: StoreFlags

    func location() throws -> StoreLocation {
        try flags.location(of: "location-store", standard: TrackStore.defaultPath)
    }

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
        let location = try location()
        do throws(StoreError) { return try StoreReader(location.path) } catch { throw ExitCode(error).reporting(error) }
    }

    /// Runs a command in the program that writes the store, or else in this one.
    ///
    /// - Parameter body: Runs it with a store that no other process writes.
    func execute(_ command: ControlCommand, _ body: (TrackStore) throws -> ControlCommand.Answer) throws
        -> ControlCommand.Answer
    {
        let location = try location()
        // A timer may fire before the first position.
        let mayBeMissing = ["import", "maintain"].contains(command.name)
        return try location.execute(command, mayBeMissing: mayBeMissing) { try body(TrackStore.at(location.path)) }
    }

    /// Deletes points, and prints how many.
    func delete(_ command: ControlCommand, _ body: (TrackStore) throws -> Int) throws {
        let isErasing = ["purge", "clear"].contains(command.name)
        let answer = try execute(command) { store in
            let count = try body(store)
            return isErasing
                ? store.deletion(count) : ControlCommand.Answer([LogValueEntry("purged", .int(Int64(count)))])
        }
        StoreFlags.reportRest(answer, of: "points")
        print(StoreFlags.deleted(answer["purged"], "point"))
    }
}
#endif
