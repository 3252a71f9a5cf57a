internal import Dispatch
internal import Synchronization
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTransport

/// Takes events on any thread and records them on a serial queue of its own, so that nobody waits for the disk.
///
/// A full disk ends the recording with what is written. Any other failure is retried, after 0.25 s at first and 30 s at
/// last; of more than ``limit`` events that wait meanwhile the oldest are lost, which is said.
final class EventRecorder: Sendable {
    private struct Item: Sendable {
        var event: GeoEvent
        var received: Timestamp
        var uptime: Int64
    }

    private struct Inbox {
        var items: [Item] = []
        var lost = 0
        var isScheduled = false
        var hasEnded = false
        var isFull = false
        var name: String?
    }

    /// What only the queue touches.
    private final class Work: @unchecked Sendable {
        let session: RecordingSession
        /// When the recording started; `nil` once it has a file.
        var start: (time: Timestamp, uptime: Int64)?
        var backoff = Backoff()
        var hasToldDenied = false
        init(_ options: RecordingOptions) { session = RecordingSession(options) }
    }

    /// How many events may wait while the disk refuses.
    static let limit = 100_000

    private let queue = DispatchQueue(label: "taffrail.recording", qos: .utility)
    private let inbox = Mutex(Inbox())
    private let work: Work
    private let failed: @Sendable (any Error) -> Void

    /// Makes a recorder, whose recording starts now. What earlier runs left in the directory is ended and repaired.
    ///
    /// - Parameter failed: Called when nothing more can be recorded, or access is denied.
    init(_ options: RecordingOptions, failed: @escaping @Sendable (any Error) -> Void) {
        work = Work(options)
        work.start = (.now, SystemClock.monotonicNanoseconds())
        self.failed = failed
        inbox.withLock { $0.isScheduled = true }
        queue.async {
            for problem in RecordingLeftovers.tidy(options.directory) { Diagnostics.report(problem) }
            self.drain()
        }
    }

    /// The name of the file under way.
    var name: String? { inbox.withLock { $0.name } }

    func put(_ event: GeoEvent) {
        let item = Item(event: event, received: .now, uptime: SystemClock.monotonicNanoseconds())
        let schedules = inbox.withLock { inbox in
            guard !inbox.hasEnded else { return false }
            if inbox.items.count >= Self.limit {
                inbox.items.removeFirst(Self.limit / 10)
                inbox.lost += Self.limit / 10
            }
            inbox.items.append(item)
            defer { inbox.isScheduled = true }
            return !inbox.isScheduled
        }
        if schedules { queue.async { self.drain() } }
    }

    /// Records what waits and ends the file; takes nothing more.
    func finish(waits: Bool) {
        let body: @Sendable () -> Void = { [self] in
            inbox.withLock { $0.hasEnded = true }
            drain(isLast: true)
            do throws(RecordingError) { try work.session.finish(at: .now) } catch { Diagnostics.report("\(error)") }
            inbox.withLock { $0.name = nil }
        }
        if waits { queue.sync(execute: body) } else { queue.async(execute: body) }
    }

    private func drain(isLast: Bool = false) {
        let (items, lost) = inbox.withLock { inbox in
            // After the end there is nothing to try again.
            guard isLast || !inbox.hasEnded else { return ([Item](), 0) }
            inbox.isScheduled = false
            defer {
                inbox.items = []
                inbox.lost = 0
            }
            // After the end on a full disk nothing more is taken.
            return (inbox.isFull ? [] : inbox.items, inbox.lost)
        }
        if lost > 0 { Diagnostics.report("\(lost) positions could not be recorded in time and are lost") }
        guard !items.isEmpty || work.start != nil && !inbox.withLock({ $0.hasEnded && !isLast || $0.isFull }) else {
            return
        }
        do throws(RecordingError) {
            if let start = work.start { try work.session.begin(at: start.time, uptime: start.uptime) }
            work.start = nil
            try work.session.splitIfDue(now: .now)
            for item in items {
                try work.session.take(
                    item.event, received: item.received, uptime: item.event.location?.extra.uptime ?? item.uptime)
            }
            try work.session.commit()
            work.backoff.reset()
            work.hasToldDenied = false
            let name = work.session.path?.split(separator: "/").last.map(String.init)
            inbox.withLock { $0.name = name }
        } catch {
            retry(items, after: error, isLast: isLast)
        }
    }

    private func retry(_ items: [Item], after error: RecordingError, isLast: Bool) {
        Diagnostics.report("cannot record: \(error)")
        guard error.kind != .full && !isLast else {
            Diagnostics.report("the recording has ended; \(items.count) positions are not in it")
            inbox.withLock { inbox in
                inbox.hasEnded = true
                inbox.isFull = true
            }
            try? work.session.finish()
            failed(error)
            return
        }
        if error.kind == .denied && !work.hasToldDenied {
            work.hasToldDenied = true
            failed(GeoError.denied("cannot record: \(error.reason)"))
        }
        inbox.withLock { inbox in
            inbox.items.insert(contentsOf: items, at: 0)
            inbox.isScheduled = true
        }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(work.backoff.delay()))) { self.drain() }
    }
}
