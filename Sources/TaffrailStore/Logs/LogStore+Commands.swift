#if Store
package import Taffrail
internal import TaffrailQuery

extension LogStore {
    /// Carries out a command that another process has sent to the one that writes the store.
    package func carryOut(_ command: ControlCommand) throws -> ControlCommand.Answer {
        switch command.name {
        case "status":
            try command.expect()
            return ControlCommand.Answer([LogValueEntry("path", .string(path))] + status)
        case "purge":
            try command.expect("before", "query")
            guard let text = try command.text("before"), let nanoseconds = Int64(text) else {
                throw OptionError("before", "must be nanoseconds since 1970, as a string")
            }
            var selection = LogSelection()
            if let query = try command.text("query") {
                do throws(SelectionError) { selection = try LogSelection(parsing: query) } catch {
                    throw OptionError("query", "is wrong in \(error)")
                }
            }
            return try purge(
                before: Timestamp(nanoseconds: nanoseconds), selection, isCancelled: ControlCommand.isCancelled
            ).answer
        case "clear":
            try command.expect()
            return try clear().answer
        default: throw command.unknown(among: "status", "purge", "clear")
        }
    }
}

extension LogDeletionResult {
    /// The answer to a command.
    package var answer: ControlCommand.Answer {
        ControlCommand.Answer([LogValueEntry("purged", .int(Int64(records))), LogValueEntry("erased", .bool(isErased))])
    }
}
#endif
