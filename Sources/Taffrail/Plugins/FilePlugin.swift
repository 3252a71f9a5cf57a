/// The sink `file` for configurations; see ``FileOptions``.
public enum FilePlugin: Plugin {
    /// Adds `file`.
    ///
    /// - Throws: ``PluginRegistry/NameTaken``.
    public static func register(in registry: inout PluginRegistry) throws {
        try registry.addSink("file", sample: sample) { (options: FileOptions, instance) in
            try makeSink(options, instance)
        }
    }

    package static func makeSink(_ options: FileOptions, _ instance: PluginInstance) throws(OptionError) -> FileSink {
        var options = options
        options.path = path(options, instance)
        // The plain sink has the same name with and without a configuration, so that each recovers the other's records.
        return try FileSink(options, name: instance.name == "file" ? nil : instance.name)
    }

    /// Returns the path of the live file. A relative path is relative to the log directory, not to the working
    /// directory.
    static func path(_ options: FileOptions, _ instance: PluginInstance) -> String {
        options.path.hasPrefix("/") ? options.path : instance.logDirectory + "/" + options.path
    }

    /// Complete and commented; a test decodes it.
    static let sample = """
        # file: writes a line for each record to a file and rotates it. Every record is in it exactly once.
        plugins:
          file:
            path: app.log          # the live file; a relative path starts at the log directory
            format: text           # text, json (one object per line), logfmt or pattern
            # With format: pattern. Its fields: time time:rfc3339 time:unix offset level level:lower level:padded
            # message logger event attributes attribute:NAME file line function seq run trace_id span_id pid thread
            # program host; %% is a percent sign.
            # pattern: "%{time}%{offset} %{program}[%{pid}] %{level} %{message}%{attributes}"
            time: local            # local or utc: the time zone of lines (json: always UTC) and of rotation
            precision: ms          # ms, us or ns; default: ns in json, ms in the others
            mode: "0640"           # permissions of new files, octal; default 0640, with the umask applied
            flush_level: error     # records of this level or higher survive power loss at once; default: none
            current_link: false    # whether to maintain a symbolic link, app.current for app.log, to the live file
            rotate:                # all limits apply together
              size: 10MiB          # largest file, 1KiB to 1TiB; null for no limit
              every: day           # minute, hour, day or week; default: not by the clock
              at_start: false      # whether each run starts a new file
              keep: 5              # rotated files next to the live one, 0 to 100000; null for all
              age: 30d             # how long a rotated file is kept; default: no limit
              total: 200MiB        # the maximum size of all files together; default: no limit
              free: 1GiB           # the space to leave free on the disk; default: no limit
              compress: gzip       # gzip, on a thread of the lowest priority; default: none

        """
}
