#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailStore

/// The log store of a command.
struct LogsStore: ParsableArguments {
    @OptionGroup var flags: StoreFlags

    func location() throws -> StoreLocation { try flags.location(of: "log-store", standard: LogStore.defaultPath) }

    /// Opens the store for reading.
    func reader() throws -> LogStoreReader {
        let location = try location()
        do throws(StoreError) { return try LogStoreReader(location.path) } catch {
            throw ExitCode(error).reporting(error)
        }
    }

    /// Prints the results of a body.
    func print(
        as format: LogsOutput.Format, _ body: (LogStoreReader, LogsOutput) throws(LogQueryError) -> Void
    ) throws {
        let output = LogsOutput(format)
        let reader = try reader()
        do throws(LogQueryError) { try body(reader, output) } catch { throw ExitCode(error).reporting(error) }
        try output.finish()
    }

    /// Deletes records in the program that writes the store, or else in this one. Returns how many.
    func execute(
        _ command: ControlCommand, _ body: (LogStore) throws -> LogDeletionResult
    ) throws -> LogValue {
        let location = try location()
        let answer = try location.execute(command) { try body(LogStore.at(location.path)).answer }
        StoreFlags.reportRest(answer, of: "records")
        return answer["purged"] ?? .int(0)
    }
}
#endif
