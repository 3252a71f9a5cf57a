/// The times of a record.
public enum RecordClock: String, Sendable, Hashable, CaseIterable {
    /// The time at which the record was logged, by the clock of its origin.
    case origin
    /// The time of its arrival here.
    case arrival
}
