/// The result of a processor that has changed a record.
public enum Verdict: Sendable, Hashable {
    /// Pass the record on to the next processor, or to the sinks.
    case keep
    /// Drop the record and count it. No sink gets it.
    case drop
}
