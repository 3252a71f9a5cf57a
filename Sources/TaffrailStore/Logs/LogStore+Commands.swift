#if Store
package import Taffrail
internal import TaffrailQuery

extension LogStore {
    /// Runs a command sent by another process to the process that writes the store.
    package func execute(_ command: ControlCommand) throws -> ControlCommand.Answer {
        switch command.name {
        case "status":
            try command.expect()
            return ControlCommand.Answer(
                [LogValueEntry("path", .string(path)), LogValueEntry("holds", "records")] + status)
        case "purge":
            try command.expect("before", "query")
            let before = try command.time("before")
            var selection = LogSelection()
            if let query = try command.text("query") {
                do throws(SelectionError) { selection = try LogSelection(parsing: query) } catch {
                    throw OptionError("query", "is invalid: \(error)")
                }
            }
            return try purge(before: before, selection, isCancelled: ControlCommand.isCancelled).answer
        case "maintain":
            try command.expect("age", "size", "streams")
            let deleted = try maintain(LogRetention(command), isCancelled: ControlCommand.isCancelled)
            return ControlCommand.Answer([LogValueEntry("purged", .int(Int64(deleted)))])
        case "clear":
            try command.expect()
            return try clear().answer
        default: throw command.unknown(among: "status", "purge", "maintain", "clear")
        }
    }
}

extension LogRetention {
    /// Reads the arguments of the command `maintain`: an age in seconds, bytes, and streams, each with a query and its age.
    init(_ command: ControlCommand) throws {
        self.init()
        age = try command.age("age")
        size = try command.size("size")
        guard let list = command["streams"] else { return }
        guard case .array(let values) = list else { throw OptionError("streams", "must be a list") }
        streams = try values.map { value in
            guard case .map(let fields) = value else {
                throw OptionError("streams", "must each have a query and an age")
            }
            let stream = ControlCommand("streams", fields)
            try stream.expect("query", "age")
            guard let query = try stream.text("query"), let age = try stream.age("age") else {
                throw OptionError("streams", "must each have a query and an age")
            }
            let selection: LogSelection
            do throws(SelectionError) { selection = try LogSelection(parsing: query) } catch {
                throw OptionError("streams", "have an invalid query: \(error)")
            }
            guard !selection.conditions.isEmpty, !selection.hasTimes else {
                throw OptionError("streams", "must have a query with conditions, but without since and until")
            }
            return Stream(selection, age: age)
        }
    }

    /// The arguments of the command `maintain`.
    package var arguments: [LogValueEntry] {
        var arguments: [LogValueEntry] = []
        if let age { arguments.append(LogValueEntry("age", .double(age / .seconds(1)))) }
        if let size { arguments.append(LogValueEntry("size", .int(Int64(size.bytes)))) }
        let streams = streams.map { stream in
            LogValue.map([
                LogValueEntry("query", .string("\(stream.selection)")),
                LogValueEntry("age", .double(stream.age / .seconds(1))),
            ])
        }
        if !streams.isEmpty { arguments.append(LogValueEntry("streams", .array(streams))) }
        return arguments
    }
}

extension LogDeletionResult {
    /// The answer to a command.
    package var answer: ControlCommand.Answer {
        ControlCommand.Answer([LogValueEntry("purged", .int(Int64(records))), LogValueEntry("erased", .bool(isErased))])
    }
}
#endif
