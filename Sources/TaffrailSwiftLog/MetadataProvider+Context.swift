#if SwiftLog
public import Logging
public import Taffrail

extension Logging.Logger.MetadataProvider {
    /// Provides the attributes of a pipeline's context providers, such as the position, for programs that keep another
    /// backend of swift-log.
    ///
    ///     LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .taffrailContext())
    ///
    /// Called for each event, on the caller's thread. It is not meant for ``TaffrailLogHandler``, whose records get
    /// these attributes anyway. A provider does not see an event's own metadata: do not use this in a program that logs
    /// `geo.…` itself, because a backend would combine part of one position with the rest of another.
    ///
    /// - Parameter pipeline: The pipeline. Its providers publish once it has been set up, even if it logs nothing.
    public static func taffrailContext(_ pipeline: Pipeline = .shared) -> Self {
        Self {
            var metadata: Logging.Logger.Metadata = [:]
            for entry in pipeline.contextAttributes { metadata[entry.key] = Logging.Logger.MetadataValue(entry.value) }
            return metadata
        }
    }
}

extension Logging.Logger.MetadataValue {
    /// The corresponding metadata value; a number remains a number for handlers that check.
    fileprivate init(_ value: LogValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .int(let number): self = .stringConvertible(number)
        case .double(let number): self = .stringConvertible(number)
        case .bool(let flag): self = .stringConvertible(flag)
        case .array(let elements): self = .array(elements.map(Self.init))
        case .map(let entries):
            self = .dictionary(
                Dictionary(entries.map { ($0.key, Self($0.value)) }, uniquingKeysWith: { _, last in last }))
        case .bytes, .date: self = .string(value.description)
        }
    }
}
#endif
