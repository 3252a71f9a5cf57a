/// What a batch may have, as far as a destination has shown.
struct BatchLimits {
    private(set) var records: Int
    private(set) var bytes: Int
    private let most: (records: Int, bytes: Int)
    /// How many batches were accepted since it was too large.
    private var acceptedSince = 0

    /// After how many accepted batches it may have more again.
    private static let acceptedBeforeMore = 64
    /// How many bytes a batch may always have that was not refused, only late.
    private static let fewestBytes = 16 << 10

    init(_ options: UploadOptions) {
        (records, bytes) = (options.records, options.bytes)
        most = (options.records, options.bytes)
    }

    /// Notes that a batch was too large.
    mutating func noteTooLarge(_ batch: SpoolReader.Part) {
        records = max(1, batch.count / 2)
        bytes = max(1, batch.bytes.count / 2)
        acceptedSince = 0
    }

    /// Notes that the time of a request was not enough for a batch.
    mutating func noteTooSlow(_ batch: SpoolReader.Part) {
        bytes = min(bytes, max(Self.fewestBytes, batch.bytes.count / 2))
        acceptedSince = 0
    }

    /// Notes that a batch was accepted: the destination may accept more again.
    mutating func noteAccepted() {
        acceptedSince += 1
        guard acceptedSince >= Self.acceptedBeforeMore, records < most.records || bytes < most.bytes else { return }
        acceptedSince = 0
        records = min(most.records, records * 2)
        bytes = min(most.bytes, bytes * 2)
    }
}
