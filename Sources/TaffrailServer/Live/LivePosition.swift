internal import Taffrail

/// The position up to which a client has read, sent as the id of everything but records, so that a client has an id
/// even before its first record, or if it has selected none of the last ones.
struct LivePosition: Sendable, Hashable {
    /// Identifies a period in which records were counted without a gap.
    let epoch: UInt64
    /// The number of the next record.
    let next: UInt64

    init(epoch: UInt64, next: UInt64) {
        self.epoch = epoch
        self.next = next
    }

    /// Parses the value of the header `Last-Event-ID`.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 16, let epoch = UInt64(parts[0], radix: 16),
            let next = UInt64(parts[1])
        else { return nil }
        self.init(epoch: epoch, next: next)
    }

    var text: String { HexText.string(epoch, width: 16) + ".\(next)" }
}
