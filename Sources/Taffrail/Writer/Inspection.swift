/// The decision of a processor after inspecting a record.
public enum Inspection: Sendable, Hashable {
    /// Pass it on unchanged.
    case keep
    /// Drop it and count it. No sink gets it.
    case drop
    /// Copy it and call ``Processor/process(_:)``.
    case change
}
