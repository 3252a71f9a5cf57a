#if Store
package import Taffrail

extension TrackStore {
    /// Carries out a command that another process has sent to the one that writes the store.
    package func carryOut(_ command: ControlCommand) throws -> ControlCommand.Answer {
        switch command.name {
        case "status":
            try command.expect()
            return ControlCommand.Answer([LogValueEntry("path", .string(path))] + status)
        case "purge":
            try command.expect("before")
            guard let text = try command.text("before"), let nanoseconds = Int64(text) else {
                throw OptionError("before", "must be nanoseconds since 1970, as a string")
            }
            return try Self.answer("purged", purge(before: Timestamp(nanoseconds: nanoseconds)))
        case "thin":
            try command.expect("before", "tolerance")
            guard let nanoseconds = Int64(try command.text("before") ?? ""),
                let tolerance = try command.number("tolerance")
            else { throw OptionError("before", "and tolerance must be given") }
            return try Self.answer(
                "purged", thin(before: Timestamp(nanoseconds: nanoseconds), tolerance: tolerance))
        case "clear":
            try command.expect()
            return try Self.answer("purged", clear())
        case "import":
            try command.expect("file", "format", "device", "session")
            guard let file = try command.text("file"),
                let format = try command.text("format").flatMap(ImportFormat.init(name:)) ?? ImportFormat(path: file)
            else { throw OptionError("file", "and its format must be named") }
            return try importPoints(
                file, format: format, device: try command.text("device"), session: try command.text("session")
            ).answer
        default: throw command.unknown(among: "status", "purge", "thin", "clear", "import")
        }
    }

    private static func answer(_ name: String, _ count: Int) -> ControlCommand.Answer {
        ControlCommand.Answer([LogValueEntry(name, .int(Int64(count)))])
    }
}

extension TrackStore.Imported {
    /// What was imported, as the answer to a command.
    package var answer: ControlCommand.Answer {
        ControlCommand.Answer([
            LogValueEntry("inserted", .int(Int64(saved.inserted))),
            LogValueEntry("repeated", .int(Int64(saved.repeated))), LogValueEntry("skipped", .int(Int64(skipped))),
        ])
    }
}
#endif
