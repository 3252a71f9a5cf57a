/// What becomes of a record after a processor has changed it.
public enum Verdict: Sendable, Hashable {
    /// It goes on to the next processor or to the sinks.
    case keep
    /// No sink gets it; it is counted.
    case drop
}
