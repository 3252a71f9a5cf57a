/// Changes or drops records between the queue and the sinks.
///
/// The writer thread calls it, one record at a time, in order; each record passes through all processors in the order
/// of the configuration. ``inspect(_:)`` is called first and sees the record in place; only if it returns
/// ``Inspection/change`` is the record copied and passed to ``process(_:)``.
///
/// After a crash, and when a sink lags, records are processed again: the result must depend on the record alone.
public protocol Processor: SendableMetatype {
    /// Names of attributes, in lower case, whose values must not reach the queue: they are replaced at the call, also
    /// inside maps. Read once, when the processor is added to a pipeline. Default: none.
    var redactedKeys: Set<String> { get }

    /// Inspects a record without copying it. Default: ``Inspection/change``.
    mutating func inspect(_ record: borrowing RecordView) -> Inspection

    /// Changes or drops a record. Timestamp, run and sequence number are restored afterwards.
    mutating func process(_ record: inout LogRecord) -> Verdict
}

extension Processor {
    /// None.
    public var redactedKeys: Set<String> { [] }

    /// Returns ``Inspection/change``.
    public mutating func inspect(_ record: borrowing RecordView) -> Inspection { .change }
}
