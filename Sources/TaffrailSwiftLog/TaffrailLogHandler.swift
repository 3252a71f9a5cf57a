#if SwiftLog
public import Logging
public import Taffrail

/// Logs events of apple/swift-log into a Taffrail pipeline.
///
///     LoggingSystem.bootstrap { TaffrailLogHandler(label: $0) }
///
/// The label becomes the logger's name, and metadata become attributes of their own types (numbers and Booleans are
/// preserved), those of the call before those of the provider and the handler. Unless ``logLevel`` is set, it is the
/// pipeline's level for the name, which a configuration may change at run time; setting it overrides the pipeline for
/// this value, as swift-log requires.
public struct TaffrailLogHandler: LogHandler {
    private let logger: Taffrail.Logger
    private var ownLevel: Logging.Logger.Level?

    /// The metadata of the handler.
    public var metadata: Logging.Logger.Metadata = [:]
    /// Called for each event, on the caller's thread.
    public var metadataProvider: Logging.Logger.MetadataProvider?

    /// Creates a handler for a label.
    ///
    /// - Parameters:
    ///   - label: The logger's name.
    ///   - metadataProvider: Called for each event, on the caller's thread. Default: swift-log's.
    public init(label: String, metadataProvider: Logging.Logger.MetadataProvider? = LoggingSystem.metadataProvider) {
        self.init(label: label, pipeline: .shared, metadataProvider: metadataProvider)
    }

    /// Creates a handler for a label that logs into another pipeline.
    public init(label: String, pipeline: Pipeline, metadataProvider: Logging.Logger.MetadataProvider? = nil) {
        logger = pipeline.logger(label)
        self.metadataProvider = metadataProvider
    }

    /// The minimum level of this value.
    public var logLevel: Logging.Logger.Level {
        get { ownLevel ?? Logging.Logger.Level(logger.level) }
        set { ownLevel = newValue }
    }

    /// One entry of the handler's metadata.
    public subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Logs an event that swift-log has found to be at or above ``logLevel``.
    public func log(event: LogEvent) {
        var attributes: [LogValueEntry] = []
        for metadata in [event.metadata, metadataProvider?.get(), metadata] {
            guard let metadata, !metadata.isEmpty else { continue }
            for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
                attributes.append(LogValueEntry(key, LogValue(value)))
            }
        }
        if let error = event.error {
            attributes.append(LogValueEntry("error", .string("\(error)")))
            attributes.append(LogValueEntry("error.type", .string("\(type(of: error))")))
        }
        // Only a source that the file does not already show.
        if event.source != event.file.split(separator: "/").first.map(String.init) {
            attributes.append(LogValueEntry("source", .string(event.source)))
        }
        logger.logAnyLevel(
            LogRecord(
                level: Level(event.level), message: event.message.description, attributes: attributes,
                source: LogRecord.SourceLocation(
                    file: event.file, function: event.function, line: UInt32(truncatingIfNeeded: event.line))))
    }
}

extension Level {
    /// The corresponding level.
    init(_ level: Logging.Logger.Level) {
        switch level {
        case .trace: self = .trace
        case .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        case .critical: self = .critical
        }
    }
}

extension Logging.Logger.Level {
    /// The corresponding level.
    init(_ level: Level) {
        switch level {
        case .trace: self = .trace
        case .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        case .critical: self = .critical
        }
    }
}

extension LogValue {
    /// A metadata value; a convertible value that is a number or a Boolean remains one.
    init(_ value: Logging.Logger.MetadataValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .stringConvertible(let convertible):
            switch convertible {
            case let number as any (BinaryInteger & LogValueConvertible): self = number.logValue
            case let number as Double: self = .double(number)
            case let number as Float: self = .double(Double(number))
            case let flag as Bool: self = .bool(flag)
            default: self = .string(convertible.description)
            }
        case .array(let elements): self = .array(elements.map { LogValue($0) })
        case .dictionary(let metadata):
            self = .map(metadata.sorted { $0.key < $1.key }.map { LogValueEntry($0.key, LogValue($0.value)) })
        }
    }
}
#else
/// Needs the trait `SwiftLog`.
@available(*, unavailable, message: "enable the trait SwiftLog: .package(…, traits: [\"SwiftLog\"])")
public struct TaffrailLogHandler {
    /// Needs the trait `SwiftLog`.
    public init(label: String) {}
}
#endif
