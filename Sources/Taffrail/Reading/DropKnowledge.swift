/// What is known of records that are missing in a log: the headers of the rings that are there tell it.
struct DropKnowledge {
    /// What could not be read.
    private(set) var problems: [String] = []
    private var queues: [QueueStatus] = []

    init(of log: LogDirectory) {
        do throws(SinkError) {
            let base = log.base
            queues = try QueueStatus.read(directory: log.path).queues.filter { $0.destination == base }
        } catch {
            problems.append(error.reason)
        }
    }

    /// The last number that a run gave, where it is over.
    func lastNumber(of run: RingID) -> UInt64? { nil }

    /// Whether something is known of some numbers.
    func knows(_ run: RingID, _ range: ClosedRange<UInt64>) -> Bool { false }

    /// Why numbers are missing.
    func explain(_ run: RingID, _ range: ClosedRange<UInt64>, _ count: UInt64) -> String {
        guard let queue = queues.first(where: { $0.run == run }), queue.filtered > 0 else {
            return "nobody has noted why"
        }
        return "processors have dropped \(queue.filtered) of the run's records"
    }

    /// Records that never got a number.
    func unnumbered(_ run: RingID) -> [String] {
        guard let queue = queues.first(where: { $0.run == run }), !queue.dropped.isEmpty else { return [] }
        let named = Level.allCases.compactMap { level in queue.dropped[level].map { "\(level.name) \($0)" } }
        return ["missing without a number: dropped at the queue (\(named.joined(separator: ", ")))"]
    }
}
