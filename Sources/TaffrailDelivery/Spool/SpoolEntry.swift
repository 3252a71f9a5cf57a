package import Taffrail

/// The output of a sink that sends something other than the batch.
package struct SpoolEntry: Sendable {
    /// The run that logged the batch.
    package var run: RingID
    /// The ring position after the batch.
    package var position: UInt64
    /// The number of the last record of the batch.
    package var sequence: UInt64
    /// The records to send, each with the number of the record that it was derived from; may be empty.
    package var records: [LogRecord]
    /// The state of the sink after the batch, at most 24 KiB.
    package var state: [UInt8]

    package init(run: RingID, position: UInt64, sequence: UInt64, records: [LogRecord] = [], state: [UInt8]) {
        self.run = run
        self.position = position
        self.sequence = sequence
        self.records = records
        self.state = state
    }
}
