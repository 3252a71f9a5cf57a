#if Store
package import Taffrail

extension TrackStore {
    /// Runs a command sent by another process to the process that writes the store.
    package func execute(_ command: ControlCommand) throws -> ControlCommand.Answer {
        switch command.name {
        case "status":
            try command.expect()
            return ControlCommand.Answer(
                [LogValueEntry("path", .string(path)), LogValueEntry("holds", "positions")] + status)
        case "purge":
            try command.expect("before", "since", "device")
            let before = try command.time("before")
            let since = command["since"] == nil ? nil : try command.time("since")
            return try deletion(
                purge(
                    since: since, until: before, device: command.text("device"), isCancelled: ControlCommand.isCancelled
                ))
        case "thin":
            try command.expect("before", "tolerance")
            let before = try command.time("before")
            guard let tolerance = try command.tolerance() else { throw OptionError("tolerance", "is required") }
            return try Self.answer(
                thin(before: before, tolerance: tolerance, isCancelled: ControlCommand.isCancelled))
        case "maintain":
            try command.expect("age", "rows", "size", "thin_after", "tolerance")
            return try Self.answer(maintain(TrackRetention(command), isCancelled: ControlCommand.isCancelled))
        case "clear":
            try command.expect()
            return try deletion(clear())
        case "import":
            try command.expect("file", "format", "device", "session")
            guard !command.isRemote else {
                throw OptionError("command", "import is only available on this machine, because it opens a file")
            }
            guard let file = try command.text("file") else { throw OptionError("file", "is required") }
            guard
                let format = try command.text("format").flatMap(ImportFormat.init(name:)) ?? ImportFormat(path: file)
            else { throw OptionError("format", "is required: the name of the file does not determine it") }
            return try importPoints(
                file, format: format, device: try command.text("device"), session: try command.text("session")
            ).answer
        default: throw command.unknown(among: "status", "purge", "thin", "maintain", "clear", "import")
        }
    }

    private static func answer(_ count: Int) -> ControlCommand.Answer {
        ControlCommand.Answer([LogValueEntry("purged", .int(Int64(count)))])
    }

    /// Returns the answer to a command that must remove all traces of the points.
    package func deletion(_ count: Int) -> ControlCommand.Answer {
        ControlCommand.Answer([LogValueEntry("purged", .int(Int64(count))), LogValueEntry("erased", .bool(isErased))])
    }
}

extension TrackRetention {
    /// Reads the arguments of the command `maintain`: ages in seconds, a number, bytes, and metres.
    init(_ command: ControlCommand) throws {
        self.init()
        age = try command.age("age")
        thinAge = try command.age("thin_after")
        rows = try command.number("rows", in: 0...1e15).map { Int($0) }
        size = try command.size("size")
        thinTolerance = try command.tolerance() ?? thinTolerance
    }

    /// The arguments of the command `maintain`.
    package var arguments: [LogValueEntry] {
        var arguments: [LogValueEntry] = []
        if let age { arguments.append(LogValueEntry("age", .double(age / .seconds(1)))) }
        if let thinAge { arguments.append(LogValueEntry("thin_after", .double(thinAge / .seconds(1)))) }
        if let rows { arguments.append(LogValueEntry("rows", .int(Int64(rows)))) }
        if let size { arguments.append(LogValueEntry("size", .int(Int64(size.bytes)))) }
        arguments.append(LogValueEntry("tolerance", .double(thinTolerance)))
        return arguments
    }
}

extension TrackStore.Imported {
    /// The result of an import, as the answer to a command.
    package var answer: ControlCommand.Answer {
        ControlCommand.Answer([
            LogValueEntry("inserted", .int(Int64(saved.inserted))),
            LogValueEntry("repeated", .int(Int64(saved.repeated))), LogValueEntry("skipped", .int(Int64(skipped))),
            LogValueEntry("warnings", .array(warnings.map { .string($0) })),
        ])
    }
}
#endif
