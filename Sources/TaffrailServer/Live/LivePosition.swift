internal import Taffrail

/// The position up to which a client has read, as the id of everything but records: a client has such an id also before
/// its first record, and when it has selected none of the last ones.
struct LivePosition: Sendable, Hashable {
    /// The time without a gap in which records were counted.
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
