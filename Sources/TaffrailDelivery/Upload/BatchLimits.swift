/// Batch limits learned from a destination's responses.
struct BatchLimits {
    private(set) var records: Int
    private(set) var bytes: Int
    private let most: (records: Int, bytes: Int)
    /// The number of batches that were accepted since one was too large.
    private var acceptedSince = 0

    /// The number of accepted batches after which the limits are raised again.
    private static let acceptedBeforeMore = 64
    /// The bytes below which batches that are too slow do not lower the limit; batches that are too large do.
    private static let fewestBytes = 16 << 10

    init(_ options: UploadOptions) {
        (records, bytes) = (options.records, options.bytes)
        most = (options.records, options.bytes)
    }

    /// Records that a batch was too large.
    mutating func noteTooLarge(_ batch: SpoolBatch) {
        records = min(records, max(1, batch.count / 2))
        bytes = min(bytes, max(1, batch.bytes.count / 2))
        acceptedSince = 0
    }

    /// Records that a batch exceeded the time limit of its request.
    mutating func noteTooSlow(_ batch: SpoolBatch) {
        bytes = min(bytes, max(Self.fewestBytes, batch.bytes.count / 2))
        acceptedSince = 0
    }

    /// Records that a batch was accepted: the destination may accept larger ones again.
    mutating func noteAccepted() {
        acceptedSince += 1
        guard acceptedSince >= Self.acceptedBeforeMore, records < most.records || bytes < most.bytes else { return }
        acceptedSince = 0
        records = min(most.records, records * 2)
        bytes = min(most.bytes, bytes * 2)
    }
}
