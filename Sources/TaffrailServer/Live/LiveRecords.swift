package import Taffrail
internal import TaffrailText

/// The last records that a pipeline's writer has processed, for clients that watch the log.
///
/// While clients are connected, and for a while after the last one has left, the writer copies its records into memory
/// of a limited size, and a task converts them to events that all clients share. If a client or the task is too slow,
/// the client misses records and receives their number.
package final class LiveRecords: RecordTap {
    /// The limits of all clients together, and the intervals.
    package struct Limits: Sendable {
        /// The maximum number of clients.
        package var clients = 256
        /// The maximum size of records that have not become events yet, in bytes.
        package var waiting = 1 << 20
        /// The maximum number of events.
        package var events = 4_096
        /// The maximum memory of all events and their records, in bytes.
        package var bytes = 4 << 20
        /// The maximum size of an event's JSON, in bytes; longer records are shortened.
        package var longest = 64 << 10
        /// The maximum time without a byte for a client.
        package var heartbeat = Duration.seconds(15)
        /// How long events are kept for reconnecting clients after the last client has left.
        package var linger = Duration.seconds(60)
        /// The interval at which records are collected for the clients.
        package var pause = Duration.milliseconds(50)
        /// How long a part of a burst waits until the clients that keep up have read the previous part.
        package var patience = Duration.milliseconds(50)

        /// Creates limits.
        package init() {}
    }

    /// A client, as it has joined.
    struct Joined: Sendable {
        var client: Int
        var start: LivePosition
        var wakes: AsyncStream<Void>
    }

    private struct Client {
        var owner: LiveOwner
        let wakes = WakeStream()
        /// The number of the next record that it reads.
        var next: UInt64
    }

    private struct State {
        var events = LiveEvents()
        var clients: [Int: Client] = [:]
        var nextClient = 0
        var isEnded = false
        /// Converts copies to events.
        var maker: Task<Void, Never>?
        /// Wakes the clients for their heartbeats, while any are connected.
        var beater: Task<Void, Never>?
    }

    private let pipeline: Pipeline
    private let device: String
    let limits: Limits
    private let intake: LiveIntake
    /// Never locked on the writer thread. The intake's lock may be taken while this one is held.
    private let state = Locked(State())
    /// Wakes the task that creates events.
    private let news = WakeStream()

    /// Creates an instance; nothing is copied until a client joins.
    ///
    /// - Parameter device: The device of this program's records without one, as in a store of records. Default: none.
    package init(of pipeline: Pipeline, device: String = "", _ limits: Limits = Limits()) {
        self.pipeline = pipeline
        self.device = device
        self.limits = limits
        intake = LiveIntake(limit: limits.waiting, linger: limits.linger)
    }

    // MARK: Records

    package func take(_ batch: borrowing RecordBatch) {
        switch intake.demand() {
        case .none:
            pipeline.taps.remove(self)
            // A client may have joined in the meantime.
            if intake.isAttached { pipeline.taps.add(self) }
        case .number: intake.append(nil, run: batch.run, count: batch.count)
        case .copies:
            var copies = RecordBuffer(run: batch.run)
            batch.copy(into: &copies)
            intake.append(copies.bytes, run: batch.run, count: batch.count)
        }
        news.wake()
    }

    /// Converts the copies to events, and wakes the clients.
    private func makeEvents() async {
        let taken = intake.take()
        guard taken.isAttached else {
            // While the server shuts down, clients may still read.
            return state.withLock { if $0.clients.isEmpty && !$0.isEnded { $0.events.removeAll() } }
        }
        var made = (events: 0, bytes: 0)
        for batch in taken.batches {
            for chunk in chunks(of: batch) {
                add(chunk, taken.epoch)
                wake()
                made = (made.events + chunk.events.count, made.bytes + chunk.cost)
                // A burst must not displace events before the clients that keep up have read them.
                guard made.events >= limits.events / 4 || made.bytes >= limits.bytes / 4 else { continue }
                made = (0, 0)
                await waitForReaders(of: chunk)
            }
        }
        state.withLock { if $0.events.epoch == taken.epoch { $0.events.advance(to: taken.next) } }
        wake()
    }

    private func chunks(of batch: LiveIntake.Batch) -> [LiveChunk] {
        guard let records = RecordBuffer(bytes: batch.bytes, run: batch.run) else { return [] }
        var chunks: [LiveChunk] = []
        var events: [LiveEvent] = []
        var bytes = 0
        var index = batch.first
        records.withBatch { records in
            records.forEach { view in
                let event = LiveEvent(
                    LogRecord(view), device: device, index: index, longest: limits.longest, largest: limits.bytes / 4)
                events.append(event)
                bytes += event.cost
                index &+= 1
                // Limits the size of chunks, because they are removed as a whole.
                guard events.count >= LiveChunk.size || bytes >= limits.bytes / 16 else { return }
                chunks.append(LiveChunk(events))
                (events, bytes) = ([], 0)
            }
        }
        if !events.isEmpty { chunks.append(LiveChunk(events)) }
        return chunks
    }

    private func add(_ chunk: LiveChunk, _ epoch: UInt64) {
        // Freed after the lock is released.
        let removed: [LiveChunk] = state.withLock { state in
            guard state.events.epoch == epoch else { return [] }
            return state.events.add(chunk, most: limits.events, bytes: limits.bytes)
        }
        withExtendedLifetime(removed) {}
    }

    /// Waits, for a short time, until clients have read the newest chunk. Clients that have already missed records are
    /// ignored.
    private func waitForReaders(of chunk: LiveChunk) async {
        let end = chunk.end
        let deadline = SystemClock.monotonicNanoseconds(after: limits.patience)
        while SystemClock.monotonicNanoseconds() < deadline {
            let isRead = state.withLock { state in
                let oldest = state.events.oldest
                return !state.clients.values.contains { $0.next >= oldest && $0.next < end }
            }
            if isRead { return }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Wakes all clients to read events.
    private func wake() {
        for client in state.withLock({ Array($0.clients.values) }) { client.wakes.wake() }
    }

    // MARK: Clients

    /// Registers a client, whose task is woken by the stream whenever there may be events for it.
    ///
    /// If there are too many, the newest client of the owner with the most clients is disconnected, unless `owner`
    /// would then have at least as many clients as that owner had.
    ///
    /// - Throws: 503 if there are too many, or the server is shutting down.
    func join(_ owner: LiveOwner) throws(Problem) -> Joined {
        var problem = Problem.shuttingDown
        var replaced: Client?
        let joined = state.withLock { state -> Joined? in
            guard !state.isEnded else { return nil }
            if state.clients.count >= limits.clients {
                guard let client = Self.replaceable(in: state.clients, by: owner) else {
                    problem = Problem(503, "too many clients watch the log", retryAfter: .seconds(10))
                    return nil
                }
                replaced = state.clients.removeValue(forKey: client)
                intake.leave()
            }
            let start = intake.join()
            if start.epoch != state.events.epoch { state.events.begin(start.epoch, next: start.next) }
            let number = state.nextClient
            state.nextClient += 1
            let client = Client(owner: owner, next: start.next)
            state.clients[number] = client
            if state.maker == nil { state.maker = makingEvents() }
            if state.beater == nil { state.beater = beating() }
            return Joined(
                client: number, start: LivePosition(epoch: start.epoch, next: start.next),
                wakes: client.wakes.listen())
        }
        replaced?.wakes.finish()
        guard let joined else { throw problem }
        pipeline.taps.add(self)
        return joined
    }

    /// Returns the newest client of the owner with the most clients; `nil` if `owner` would have at least as many after
    /// joining.
    private static func replaceable(in clients: [Int: Client], by owner: LiveOwner) -> Int? {
        let shares = Dictionary(grouping: clients, by: \.value.owner)
        guard let largest = shares.max(by: { $0.value.count < $1.value.count }),
            largest.value.count > (shares[owner]?.count ?? 0) + 1
        else { return nil }
        return largest.value.map(\.key).max()
    }

    /// Removes a client, and ends its stream.
    func leave(_ client: Int) {
        let left = state.withLock { state in
            let left = state.clients.removeValue(forKey: client)
            if left != nil { intake.leave() }
            if state.clients.isEmpty {
                state.beater?.cancel()
                state.beater = nil
            }
            return left
        }
        left?.wakes.finish()
    }

    /// Ends all streams, and refuses further clients.
    package func end() {
        let clients = state.withLock { state in
            state.isEnded = true
            intake.end()
            state.beater?.cancel()
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }
        pipeline.taps.remove(self)
        for client in clients { client.wakes.finish() }
        news.finish()
    }

    deinit { news.finish() }

    private func makingEvents() -> Task<Void, Never> {
        Task { [wakes = news.listen(), pause = limits.pause, weak self] in
            for await _ in wakes {
                await self?.makeEvents()
                try? await Task.sleep(for: pause)
            }
        }
    }

    private func beating() -> Task<Void, Never> {
        // A client that was sent bytes less than half a heartbeat ago waits for the next wake-up.
        Task { [pause = limits.heartbeat / 2, weak self] in
            while (try? await Task.sleep(for: pause)) != nil { self?.wake() }
        }
    }

    /// Calls a function while all clients are blocked, to test that the writer is not.
    func whileClientsWait(_ body: () -> Bool) -> Bool { state.withLock { _ in body() } }

    /// The number of clients.
    var clients: Int { state.withLock { $0.clients.count } }

    /// Returns the position after the last event that a client has received; `nil` if it is unknown.
    func position(after last: String) -> LivePosition? {
        // Outside the lock, because comparing ids takes a while.
        let events = state.withLock { $0.events }
        return events.position(after: last)
    }

    /// Returns some events, starting at the number up to which a client has read.
    func events(from index: UInt64, for client: Int) -> LiveEvents.Part {
        state.withLock { state in
            state.clients[client]?.next = index
            return state.events.part(from: index)
        }
    }
}
