#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailReading

/// The selection of records for a command.
struct LogsFilter: ParsableArguments {
    // A condition with - before it looks like an option.
    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The query; without one, all records.", valueName: "query"))
    var query: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only records of this time or later: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeOption.time)
    var since: Timestamp?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Only records before this time.", valueName: "time"),
        transform: TimeOption.time)
    var until: Timestamp?

    func selection() throws -> LogSelection {
        // A mistyped option must not become the condition that a word is missing.
        for word in query where word.hasPrefix("-") {
            guard !word.hasPrefix("--"), word.contains(where: { ":=<>~".contains($0) }) else {
                throw ValidationError("Unknown option '\(word)'; records without a word are found by '!word'")
            }
        }
        let text = query.joined(separator: " ")
        do throws(SelectionError) {
            return try LogSelection(parsing: text).between(since, until)
        } catch {
            let mark = String(repeating: " ", count: max(0, error.column - 1)) + "^"
            throw ValidationError("invalid query: \(error)\n  \(text)\n  \(mark)")
        }
    }
}
#endif
