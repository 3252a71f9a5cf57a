internal import Taffrail

/// The id of an event of `GET /stream`: the run of this program that logged the record, and its number in the run.
struct LiveID: Sendable, Hashable {
    let run: String
    let sequence: UInt64

    init(_ record: LogRecord) {
        run = "\(record.run)"
        sequence = record.sequence
    }

    /// Parses the value of the header `Last-Event-ID`.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = UInt64(parts[1]) else { return nil }
        run = String(parts[0])
        self.sequence = sequence
    }

    var text: String { "\(run)-\(sequence)" }
}
