/// A record that the destination refused.
package struct DeadLetter: Sendable {
    package let frame: SpoolFrame
    /// As in a ``RecordBuffer``.
    package let record: [UInt8]
    /// The response of the destination.
    package let reason: String
}
