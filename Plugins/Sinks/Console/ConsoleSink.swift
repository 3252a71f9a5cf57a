public import Taffrail

/// Writes lines of text or JSON to stderr or stdout.
///
/// On a terminal the level of a text line is coloured. If the stream goes to journald, each line starts with its
/// priority, `<6>`, and text lines have no time, because journald adds one.
public final class ConsoleSink: Sink {
    /// The instance's name.
    public let name: String
    /// The stream.
    public let destinations: [String]
    private let options: ConsoleOptions
    private let hasColors: Bool
    private let hasPriority: Bool
    private var text: RecordText
    private var stream: LineStream

    /// Creates a sink.
    public convenience init(_ options: ConsoleOptions = ConsoleOptions(), name: String = "console") {
        self.init(options, name: name, descriptor: options.stream == .stderr ? 2 : 1)
    }

    /// Creates a sink that writes to a given descriptor, which stays open.
    ///
    /// - Parameters:
    ///   - options: Its options.
    ///   - name: The instance's name.
    ///   - descriptor: The descriptor to write to.
    ///   - variable: The value of an environment variable. Default: the process's own environment.
    public init(
        _ options: ConsoleOptions, name: String, descriptor: CInt, variable: ((String) -> String?)? = nil
    ) {
        self.options = options
        self.name = name
        destinations = [descriptor == 1 ? "stdout" : descriptor == 2 ? "stderr" : "descriptor \(descriptor)"]
        stream = LineStream(descriptor)
        let target = ConsoleTarget(descriptor: descriptor, variable: variable ?? { Environment[$0] })
        switch options.priority {
        case .auto: hasPriority = target.isJournal
        case .always: hasPriority = true
        case .never: hasPriority = false
        }
        switch options.color {
        case .auto: hasColors = options.format == .text && !hasPriority && target.showsColors
        case .always: hasColors = options.format == .text
        case .never: hasColors = false
        }
        text = RecordText(format: options.format == .json ? .json : .text, time: options.time)
    }

    /// Writes the lines.
    ///
    /// - Throws: A temporary ``SinkError`` if the stream cannot be written: a closed pipe, a full disk, a stopped
    ///   terminal.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var taken = 0
        do throws(SystemError) {
            try stream.write(batch, taken: &taken) { append($0, to: &$1) }
        } catch {
            throw .temporary("\(options.stream): \(Errno.text(error.code))", taken: taken)
        }
    }

    private func append(_ record: borrowing RecordView, to bytes: inout [UInt8]) {
        if hasPriority {
            bytes += "<\(record.level.syslogPriority)>".utf8
        }
        let color = hasColors ? Self.color(of: record.level) : nil
        let label = record.level.label.utf8CodeUnitCount
        let (priority, hasColor) = (hasPriority, color != nil)
        let isText = options.format == .text
        text.withLine(of: record) { line in
            guard isText else {
                line.withUnsafeBytes { bytes.append(contentsOf: $0) }
                return
            }
            // `[time] [LEVEL] message`: the time has a fixed length, and the next bracket is the first one after it.
            let start = Self.timeLength(line)
            for index in 0..<line.count {
                if priority && index < start { continue }
                if hasColor && index == start + 1 { bytes += (color ?? "").utf8 }
                if hasColor && index == start + 1 + label { bytes += "\u{1B}[0m".utf8 }
                bytes.append(line[index])
            }
        }
    }

    /// Returns the length of `[time] `.
    private static func timeLength(_ line: Span<UInt8>) -> Int {
        var index = 0
        while index < line.count, line[index] != UInt8(ascii: "]") { index += 1 }
        return index + 2
    }

    /// Returns the SGR sequence (ECMA-48) for the word of a level. `taffrail tail` colours whole lines, but none of
    /// `info` and `notice`.
    private static func color(of level: Level) -> String? {
        switch level {
        case .trace, .debug: "\u{1B}[2m"
        case .info: "\u{1B}[32m"
        case .notice: "\u{1B}[36m"
        case .warning: "\u{1B}[33m"
        case .error: "\u{1B}[31m"
        case .critical: "\u{1B}[1;31m"
        }
    }
}

extension Sink where Self == ConsoleSink {
    /// Returns the console, for setting up a pipeline in code: `Pipeline(sinks: [.console()])`.
    public static func console(
        _ options: ConsoleOptions = ConsoleOptions(), named name: String = "console"
    ) -> ConsoleSink { ConsoleSink(options, name: name) }

    /// Returns the console in a format: `.console(format: .json)` writes to stdout, for collectors of containers.
    public static func console(format: ConsoleOptions.Format, named name: String = "console") -> ConsoleSink {
        ConsoleSink(ConsoleOptions(format: format), name: name)
    }
}
