package import Taffrail
internal import TaffrailQuery

/// The last records that have passed a pipeline's writer, for clients that watch them.
///
/// While there are clients, and for a while after the last one, the writer copies its records into memory of a limited size,
/// where a task makes events of them, once for all clients. A client that is too slow for that, or a task, misses records:
/// it gets their number.
package final class LiveRecords: RecordTap {
    /// The limits of all clients together, and the times.
    package struct Limits: Sendable {
        /// The most clients.
        package var clients = 256
        /// The most bytes of records that wait for becoming events.
        package var waiting = 1 << 20
        /// The most events.
        package var events = 4_096
        /// The most bytes of all events.
        package var bytes = 4 << 20
        /// The most bytes of an event: each client that does not read may hold one. A longer one counts as missed.
        package var longest = 256 << 10
        /// The longest time without a byte for a client.
        package var heartbeat = Duration.seconds(15)
        /// How long events are kept for a client that comes again, when there is none.
        package var linger = Duration.seconds(60)
        /// The pause in which records are collected for the clients.
        package var pause = Duration.milliseconds(50)

        /// Creates limits.
        package init() {}
    }

    /// What a client gets of a record.
    struct Event: Sendable {
        /// Its number among all records since the first client came.
        let index: UInt64
        let id: LiveID
        let record: StoredRecord
        /// The text of the event.
        let text: [UInt8]
    }

    /// A part of what has happened since a client has read.
    struct Part: Sendable {
        var events: [Event] = []
        /// Where to read on.
        var end: UInt64
    }

    /// Copies of records, of which the first one has a number.
    private struct Batch {
        let run: RingID
        let bytes: [UInt8]
        let first: UInt64
    }

    private struct State {
        var waiting: [Batch] = []
        var waitingBytes = 0
        /// The number of the next record.
        var next: UInt64 = 0
        var events: [Event] = []
        var eventBytes = 0
        var clients: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextClient = 0
        var isAttached = false
        var isEnded = false
        /// When there was a client last, by the monotonic clock.
        var left = Int64(0)
        /// Makes events of copies.
        var maker: Task<Void, Never>?
        /// Wakes the clients for their heartbeats, while there are any.
        var beater: Task<Void, Never>?

        /// The number up to which records are events, or were missed.
        var reached: UInt64 { waiting.first?.first ?? next }

        mutating func removeEvents() {
            (waiting, waitingBytes) = ([], 0)
            (events, eventBytes) = ([], 0)
        }
    }

    private let pipeline: Pipeline
    let limits: Limits
    private let state = Locked(State())
    private let news: AsyncStream<Void>
    private let newsArrived: AsyncStream<Void>.Continuation

    /// Creates it; nothing is copied until there is a client.
    package init(of pipeline: Pipeline, _ limits: Limits = Limits()) {
        self.pipeline = pipeline
        self.limits = limits
        (news, newsArrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Records

    package func take(_ batch: borrowing RecordBatch) {
        let (isWanted, hasRoom) = state.withLock { state in
            let isRecent = SystemClock.monotonicNanoseconds() < state.left &+ limits.linger.nanoseconds
            guard state.isAttached, !state.clients.isEmpty || isRecent else {
                state.isAttached = false
                state.removeEvents()
                return (false, false)
            }
            return (true, state.waitingBytes < limits.waiting)
        }
        guard isWanted else {
            pipeline.detach(self)
            // A client may have come meanwhile.
            if state.withLock({ $0.isAttached }) { pipeline.attach(self) }
            return
        }
        var copies = RecordBuffer(run: batch.run)
        if hasRoom { batch.copy(into: &copies) }
        let (run, bytes, count) = (batch.run, copies.bytes, UInt64(batch.count))
        state.withLock { state in
            if hasRoom {
                state.waiting.append(Batch(run: run, bytes: bytes, first: state.next))
                state.waitingBytes += bytes.count
            }
            state.next &+= count
        }
        newsArrived.yield()
    }

    /// Makes events of the copies, and wakes the clients.
    private func makeEvents() {
        while let batch = state.withLock({ $0.waiting.first }) {
            var events: [Event] = []
            var index = batch.first
            if let records = RecordBuffer(bytes: batch.bytes, run: batch.run) {
                records.withBatch { records in
                    records.forEach { view in
                        let event = event(of: LogRecord(view), index: index)
                        if event.text.count <= limits.longest { events.append(event) }
                        index &+= 1
                    }
                }
            }
            let made = events
            state.withLock { state in
                // They may have been removed meanwhile.
                guard state.waiting.first?.first == batch.first else { return }
                state.waiting.removeFirst()
                state.waitingBytes -= batch.bytes.count
                state.events += made
                for event in made { state.eventBytes += event.text.count }
                trim(&state)
            }
        }
        wake()
    }

    private func event(of record: LogRecord, index: UInt64) -> Event {
        let shown = StoredRecord(record, device: "")
        let id = LiveID(record)
        let text = Array("id: \(id.text)\ndata: ".utf8) + shown.json + Array("\n\n".utf8)
        return Event(index: index, id: id, record: shown, text: text)
    }

    private func trim(_ state: inout State) {
        var count = max(0, state.events.count - limits.events)
        for event in state.events.prefix(count) { state.eventBytes -= event.text.count }
        while state.eventBytes > limits.bytes, count < state.events.count {
            state.eventBytes -= state.events[count].text.count
            count += 1
        }
        state.events.removeFirst(count)
    }

    /// Makes all clients look for events.
    private func wake() {
        for client in state.withLock({ Array($0.clients.values) }) { client.yield() }
    }

    // MARK: Clients

    /// Registers a client, whose task is woken by the stream whenever there may be something for it.
    ///
    /// - Returns: Its number, and the number of the next record.
    /// - Throws: 503 if there are too many.
    func join() throws(Problem) -> (client: Int, next: UInt64, wakes: AsyncStream<Void>) {
        let (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let joined = state.withLock { state -> (client: Int, next: UInt64)? in
            guard !state.isEnded, state.clients.count < limits.clients else { return nil }
            let client = state.nextClient
            state.nextClient += 1
            state.clients[client] = waking
            if state.maker == nil { state.maker = makingEvents() }
            if state.beater == nil { state.beater = beating() }
            state.isAttached = true
            return (client, state.next)
        }
        guard let joined else { throw Problem(503, "too many clients watch the log", retryAfter: 10) }
        pipeline.attach(self)
        return (joined.client, joined.next, wakes)
    }

    /// Unregisters a client, and ends its stream.
    func leave(_ client: Int) {
        let waking = state.withLock { state in
            let waking = state.clients.removeValue(forKey: client)
            if waking != nil { state.left = SystemClock.monotonicNanoseconds() }
            if state.clients.isEmpty {
                state.beater?.cancel()
                state.beater = nil
            }
            return waking
        }
        waking?.finish()
    }

    /// Ends all streams, and accepts no further clients.
    package func end() {
        let clients = state.withLock { state in
            state.isEnded = true
            state.isAttached = false
            state.removeEvents()
            state.beater?.cancel()
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }
        pipeline.detach(self)
        for client in clients { client.finish() }
        newsArrived.finish()
    }

    deinit { newsArrived.finish() }

    private func makingEvents() -> Task<Void, Never> {
        Task { [news, pause = limits.pause, weak self] in
            for await _ in news {
                self?.makeEvents()
                try? await Task.sleep(for: pause)
            }
        }
    }

    private func beating() -> Task<Void, Never> {
        Task { [heartbeat = limits.heartbeat, weak self] in
            while (try? await Task.sleep(for: heartbeat)) != nil { self?.wake() }
        }
    }

    /// How many clients there are.
    var clients: Int { state.withLock { $0.clients.count } }

    /// The number of the record after the one with an id; `nil` if it is not known.
    func index(after id: LiveID) -> UInt64? {
        state.withLock { state in state.events.last { $0.id == id }.map { $0.index &+ 1 } }
    }

    /// Some events from a number on.
    func events(from index: UInt64) -> Part {
        state.withLock { state in
            let start = state.events.partition(startingAt: index)
            let events = Array(state.events[start...].prefix(512))
            let isLast = start + events.count == state.events.count
            return Part(events: events, end: isLast ? max(index, state.reached) : (events.last?.index ?? index) &+ 1)
        }
    }
}

extension [LiveRecords.Event] {
    /// The position of the first event with a number or a greater one.
    fileprivate func partition(startingAt number: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].index < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
