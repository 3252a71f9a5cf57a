/// The log of a program without a configuration: `app.log` in the directory that the system provides for it.
package enum DefaultLog {
    /// The settings from the environment.
    package struct Settings: Sendable {
        package var file: FileOptions
        package var levels = LevelTable(root: .info, byName: [:])
        /// The format of lines on stdout; `nil` for none.
        package var console: LineOptions.Format?
        /// Invalid settings.
        package var problems: [String] = []
    }

    /// Reads `TAFFRAIL_FILE`, `TAFFRAIL_LEVEL`, `TAFFRAIL_CONSOLE`, `TAFFRAIL_ROTATE_SIZE` and `TAFFRAIL_KEEP`. Invalid
    /// values are ignored and listed in `problems`.
    package static func settings(program: String = Environment.program) -> Settings {
        var settings = Settings(file: FileOptions(path: Environment["TAFFRAIL_FILE"] ?? path(program: program)))
        @inline(never)
        func reject(_ variable: String, _ text: String, _ reason: String) {
            settings.problems.append("\(variable)=\(text): \(reason)")
        }
        if let text = Environment["TAFFRAIL_LEVEL"], let wrong = settings.levels.read(text) {
            let names = Level.allCases.map(\.name).joined(separator: " ")
            reject("TAFFRAIL_LEVEL", text, "\"\(wrong)\" is not a level (\(names))")
        }
        switch Environment["TAFFRAIL_CONSOLE"] {
        case nil: break
        case "text": settings.console = .text
        case "json": settings.console = .json
        case let other?: reject("TAFFRAIL_CONSOLE", other, "must be text or json")
        }
        func rotate(by variable: String, _ form: String, _ set: (inout RotationOptions, String) -> Bool) {
            guard let text = Environment[variable] else { return }
            var options = settings.file.rotate
            guard set(&options, text) else { return reject(variable, text, form) }
            do throws(OptionError) {
                try options.validate()
                settings.file.rotate = options
            } catch {
                reject(variable, text, error.reason)
            }
        }
        rotate(by: "TAFFRAIL_ROTATE_SIZE", "not a size such as 64KiB or 10MiB") { options, text in
            options.size = ByteSize(text)
            return options.size != nil
        }
        rotate(by: "TAFFRAIL_KEEP", "not an integer") { options, text in
            options.keep = Int(text)
            return options.keep != nil
        }
        return settings
    }

    /// Returns the path of the log: `app.log` in `$LOGS_DIRECTORY` (set by systemd; its first entry), else in
    /// `$XDG_STATE_HOME/PROGRAM`, else in `~/.local/state/PROGRAM`.
    package static func path(program: String) -> String {
        if let first = Environment["LOGS_DIRECTORY"]?.split(separator: ":").first { return "\(first)/app.log" }
        return "\(Environment.stateHome)/\(program)/app.log"
    }

    /// Returns the file sink, or one to stderr, reported once, if the file cannot be written; and one to stdout if
    /// requested.
    package static func sinks(_ settings: Settings) -> [any Sink] {
        for problem in settings.problems { Diagnostics.report(problem) }
        let console = settings.console.map { [StandardStreamSink("stdout", descriptor: 1, $0)] } ?? []
        do {
            let sink = try FileSink(settings.file)
            if Environment["TAFFRAIL_FILE"] != nil, let missing = missingDirectory(of: sink.path) {
                throw SystemError("create \(sink.path): the directory \(missing)", code: Errno.missing)
            }
            // The writer tries again until there is room.
            do throws(SystemError) { try sink.begin() } catch { if !error.isFull { throw error } }
            // The user may not know the default location.
            let variables = ["TAFFRAIL_FILE", "TAFFRAIL_CONSOLE", "LOGS_DIRECTORY"]
            if !variables.contains(where: { Environment[$0] != nil }), Environment.isTerminal(2) {
                Diagnostics.report("the log is \(sink.path)")
            }
            return [sink] + console
        } catch {
            Diagnostics.report("the log goes to stderr: \(error)")
            return [StandardStreamSink("stderr", descriptor: 2, .text)] + console
        }
    }

    /// Returns the missing parent of a named log's directory. Only the last directory is created: creating more would
    /// hide a typing error.
    package static func missingDirectory(of log: String) -> String? {
        guard let directory = LogPath(ofLog: log)?.path, !Directory.exists(directory),
            let above = Directory.parent(of: directory), !Directory.exists(above)
        else { return nil }
        return above
    }
}
