/// Changes or drops records on their way from the queue to the sinks.
///
/// The writer thread calls it, one record at a time, in order, each record through all processors in the order of
/// the configuration. First comes ``inspect(_:)``, which sees the record where it lies; only when that says
/// ``Inspection/change`` is the record copied and given to ``process(_:)``.
///
/// After a crash, and when a sink has fallen behind, records come by again: what a processor answers shall depend
/// on the record alone.
public protocol Processor: SendableMetatype {
    /// Names of attributes, in lower case, whose values shall not even reach the queue: they are replaced at the
    /// call, also inside maps. Asked for once, when the processor is put into a pipeline. Default: none.
    var redactedKeys: Set<String> { get }

    /// Looks at a record without a copy. Default: ``Inspection/change``.
    mutating func inspect(_ record: borrowing RecordView) -> Inspection

    /// Changes a record or drops it. Timestamp, run and sequence number stay what they are, whatever is set here.
    mutating func process(_ record: inout LogRecord) -> Verdict
}

/// What a processor wants to do with a record that it has looked at.
public enum Inspection: Sendable, Hashable {
    /// It goes on as it is.
    case keep
    /// No sink gets it; it is counted.
    case drop
    /// It is copied and given to ``Processor/process(_:)``.
    case change
}

extension Processor {
    /// None.
    public var redactedKeys: Set<String> { [] }

    /// ``Inspection/change``.
    public mutating func inspect(_ record: borrowing RecordView) -> Inspection { .change }
}
