internal import Taffrail
internal import TaffrailText

/// Puts the records of requests into the queue of a pipeline.
struct RecordIntake: Sendable {
    let pipeline: Pipeline
    private let settings: Receiver.Settings
    private let batches: BatchMemory
    private let counts: ReceiverCounts

    init(_ pipeline: Pipeline, _ settings: Receiver.Settings, _ counts: ReceiverCounts) {
        self.pipeline = pipeline
        self.settings = settings
        self.counts = counts
        batches = BatchMemory.of(pipeline)
    }

    private static let pause = Duration.milliseconds(5)

    /// The result of a batch, for the response.
    struct Outcome {
        var accepted = 0
        var truncated = 0
    }

    /// The ring in which records survive; `nil` if there is none.
    ///
    /// Reopens a queue after a failure: in a program that only receives, nothing else would.
    var durableRing: UInt64? {
        if let ring = pipeline.durableRing { return ring }
        pipeline.begin()
        return pipeline.durableRing
    }

    /// Returns whether records still survive in the ring that was in use at the start of a request.
    private func isStill(_ ring: UInt64?) -> Bool {
        !settings.isDurable || (ring != nil && pipeline.durableRing == ring)
    }

    private var notDurable: Problem {
        pipeline.isDurable
            ? Problem(503, "the queue was reopened during the request", retryAfter: .seconds(1))
            : Problem(503, "the queue is in memory; see the receiver's diagnostics", retryAfter: .seconds(10))
    }

    /// Puts records into the queue. Waits for space without blocking the thread.
    ///
    /// - Throws: An error if some are not in the queue after a while. Those that are in the queue are skipped when the
    ///   client sends the batch again with its key.
    func take(
        _ received: ReceivedRecords, _ request: ServerRequest, _ access: Access
    ) async throws(Problem) -> Outcome {
        let key = BatchMemory.Key(request, access)
        guard let start = batches.begin(key) else {
            throw Problem(503, "another request is sending this batch", retryAfter: .seconds(1))
        }
        var logged = start
        var taken = ReceiverCounts.Taken()
        defer {
            batches.end(key, taken: logged)
            counts.took(taken)
        }
        let ring = settings.isDurable ? durableRing : nil
        let logger = pipeline.logger
        var deadline: Int64?
        for (index, record) in received.records.enumerated().dropFirst(start) {
            let record = key?.marked(record, number: index + 1) ?? record
            while true {
                guard isStill(ring) else {
                    logged = start
                    throw notDurable
                }
                let admission = logger.admit(offered: record)
                if admission == .truncated { taken.truncated += 1 }
                if admission == .withheld { taken.withheld += 1 }
                if admission == .queued || admission == .truncated { taken.queued += 1 }
                guard admission == .dropped else { break }
                // One deadline for all records: the server closes the connection of a request that takes too long.
                let limit = deadline ?? settings.now().addingClamped(settings.patience.nanoseconds)
                deadline = limit
                let mayWait = settings.now() < limit && request.connection?.isClosed != true
                if mayWait, (try? await Task.sleep(for: Self.pause)) != nil { continue }
                throw Problem(503, "the queue is full", retryAfter: .seconds(1))
            }
            logged += 1
        }
        // Logging may have opened another queue than the one that was durable at the start.
        guard isStill(ring) else {
            logged = start
            throw notDurable
        }
        counts.ignored(received.ignored)
        return Outcome(accepted: received.records.count, truncated: taken.truncated + received.truncated)
    }
}
