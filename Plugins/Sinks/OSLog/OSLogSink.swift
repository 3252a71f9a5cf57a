#if canImport(OSLog)
internal import OSLog
public import Taffrail

/// Sends records to the unified log of Apple's systems. Not built in CI, which runs on Linux.
///
/// The system keeps what it wants to keep: trace and debug only while somebody looks, the others for a while. It cannot
/// be asked what it has, so after SIGKILL the last records may come twice.
public final class OSLogSink: Sink {
    /// The instance's name.
    public let name: String
    private let options: OSLogOptions
    private let subsystem: String
    /// By category. A program has few loggers by name; what has more shares the first one's category.
    private var logs: [String: OSLog] = [:]
    private static let most = 256

    /// Makes a sink. Nothing is opened.
    public init(_ options: OSLogOptions = OSLogOptions(), instance: PluginInstance) {
        name = instance.name
        self.options = options
        subsystem = options.subsystem ?? instance.program
    }

    /// Hands the records over. It cannot fail.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        batch.forEach { view in
            let record = LogRecord(view)
            // What was private has been replaced at the call.
            os_log("%{public}@", log: log(for: record.logger), type: Self.type(record.level), text(record))
        }
    }

    private func text(_ record: LogRecord) -> String {
        guard options.attributes else { return record.message }
        return record.attributes.reduce(into: record.message) { $0 += " \($1.key)=\($1.value)" }
    }

    private func log(for logger: String) -> OSLog {
        let category = logger.isEmpty || logs.count >= Self.most ? options.category : logger
        if let log = logs[category] { return log }
        let made = OSLog(subsystem: subsystem, category: category)
        logs[category] = made
        return made
    }

    private static func type(_ level: Level) -> OSLogType {
        switch level {
        case .trace, .debug: .debug
        case .info: .info
        case .notice, .warning: .default
        case .error: .error
        case .critical: .fault
        }
    }
}

extension Sink where Self == OSLogSink {
    /// The unified log of Apple's systems, for a pipeline that is set up in code.
    public static func oslog(_ options: OSLogOptions = OSLogOptions(), named name: String = "oslog") -> OSLogSink {
        OSLogSink(options, instance: PluginInstance(named: name))
    }
}
#endif
