internal import Dispatch
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTransport

/// Accepts events on any thread and records them on its own serial queue, so that no caller waits for the disk.
///
/// A full disk ends the recording with the events written so far. Any other failure is retried after 0.25 s to 30 s; if
/// more than ``limit`` events are pending, the oldest are dropped, and the loss is reported.
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

    /// State confined to the queue.
    private final class Work: @unchecked Sendable {
        let session: RecordingSession
        /// The start of the recording; `nil` once it has a file.
        var start: (time: Timestamp, uptime: Int64)?
        var backoff = Backoff()
        var hasReportedDenied = false
        init(_ options: RecordingOptions) { session = RecordingSession(options) }
    }

    /// The maximum number of pending events while the disk fails.
    static let limit = 100_000

    private let queue = DispatchQueue(label: "taffrail.recording", qos: .utility)
    private let inbox = Locked(Inbox())
    private let work: Work
    private let failed: @Sendable (any Error) -> Void

    /// Creates a recorder, whose recording starts now. Recordings of earlier runs in the directory are ended and
    /// repaired.
    ///
    /// - Parameter failed: Called when recording is no longer possible, or access is denied.
    init(_ options: RecordingOptions, failed: @escaping @Sendable (any Error) -> Void) {
        work = Work(options)
        work.start = (.now, SystemClock.monotonicNanoseconds())
        self.failed = failed
        inbox.withLock { $0.isScheduled = true }
        queue.async {
            for problem in self.work.session.tidy() { Diagnostics.report(problem) }
            self.drain()
        }
    }

    /// The name of the current file.
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

    /// Records pending events and ends the file; ignores later events.
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
            // Nothing is retried after the end.
            guard isLast || !inbox.hasEnded else { return ([Item](), 0) }
            inbox.isScheduled = false
            defer {
                inbox.items = []
                inbox.lost = 0
            }
            // After a full disk has ended the recording, events are ignored.
            return (inbox.isFull ? [] : inbox.items, inbox.lost)
        }
        if lost > 0 { Diagnostics.report("\(lost) events could not be recorded in time and were lost") }
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
            work.hasReportedDenied = false
            let name = work.session.path.map(FileName.base)
            inbox.withLock { $0.name = name }
        } catch {
            retry(items, after: error, isLast: isLast)
        }
    }

    private func retry(_ items: [Item], after error: RecordingError, isLast: Bool) {
        Diagnostics.report("cannot record: \(error)")
        guard error.kind != .full && !isLast else {
            Diagnostics.report("the recording has ended without \(items.count) events")
            inbox.withLock { inbox in
                inbox.hasEnded = true
                inbox.isFull = true
            }
            try? work.session.finish()
            failed(error)
            return
        }
        if error.kind == .denied && !work.hasReportedDenied {
            work.hasReportedDenied = true
            failed(GeoError.denied("cannot record: \(error.reason)"))
        }
        inbox.withLock { inbox in
            inbox.items.insert(contentsOf: items, at: 0)
            inbox.isScheduled = true
        }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(work.backoff.delay().nanoseconds))) { self.drain() }
    }
}
