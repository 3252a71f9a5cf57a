public import Taffrail
public import TaffrailGeo
public import TaffrailRecording
internal import TaffrailText

/// Records positions, errors and optionally log records into files that are complete at any time.
///
/// The offset in the queue is stored in the file with the events, so that the file contains each event exactly once
/// even after a crash: records in the queue of a dead run are added to the recording that it was writing.
public final class GeoRecorderSink: Sink {
    /// The name under which the queue stores this sink's position.
    public let name: String
    private let options: RecordingOptions
    #if HTTP
    private let uploadOptions: RecordingUploadOptions?
    #endif
    private let feed: LocationFeed
    private var session: RecordingSession
    private var run: RingID?
    /// The process that is writing the current recording.
    private var process: Int32 = 0
    /// The ``lostEvents`` of earlier sessions.
    private var lostBefore = 0
    /// The number of events that earlier sessions recorded.
    private var recordedBefore = 0
    /// Recordings that dead runs were writing.
    private var unfinished: [RingID: (path: String, position: UInt64)] = [:]
    private var hasFoundUnfinished = false
    /// The last failure reported to the feed.
    private var reportedKind: RecordingError.Kind?
    private var book = SinkBook.none
    /// Requests all positions while the sink is in use.
    private var demand: LocationFeed.Subscription?
    /// The sequence numbers in the current recording; `nil` if a dead run wrote a part of it.
    private var numbers: ClosedRange<UInt64>?
    private var isResumed = false
    /// The number of ``lostEvents`` that have been attributed to a run.
    private var attributed = 0
    /// Losses that are not in the ledger yet.
    private var unnoted: [Loss] = []
    #if HTTP
    /// Sends finished recordings to a receiver.
    private var uploader: RecordingUploader?
    #endif
    /// The recording that was current after the last batch.
    private var lastPath: String?

    /// The records of a deleted or truncated recording.
    private struct Loss {
        var count: UInt64
        var run: RingID
        var numbers: ClosedRange<UInt64>?
    }

    /// Creates a sink; the first event starts a file.
    public init(_ options: GeoRecorderOptions, name: String = "geo-recorder", feed: LocationFeed = .shared) {
        self.options = options.recording
        #if HTTP
        uploadOptions = options.upload
        #endif
        self.name = name
        self.feed = feed
        session = RecordingSession(options.recording)
    }

    /// The current file.
    public var path: String? { session.path }
    /// The size of the current file, in bytes.
    public var size: Int { session.size }
    /// The metadata of the current file.
    public var metadata: RecordingMetadata? { session.metadata }
    /// The number of events that were lost with recordings that were deleted or truncated during writing.
    public var lostEvents: Int { lostBefore + session.lostEvents }
    /// The directory of the recordings.
    public var destinations: [String] { [DestinationPath.resolved(options.directory)] }
    /// The directory of the queue if there is no log file.
    public var stateDirectory: String? { RecordingLeftovers.queueDirectory(of: options.directory) }

    /// Sets the book that records losses, and requests all positions from inputs that are open on demand.
    public func attach(_ book: SinkBook) {
        self.book = book
        if demand == nil { demand = feed.subscribe(accuracy: -1) }
        startUploads()
    }

    private func startUploads() {
        #if HTTP
        guard uploader == nil, let upload = uploadOptions else { return }
        uploader = RecordingUploader(options, upload, name: name)
        uploader?.start()
        #endif
    }

    /// Records a batch: all of it or, if it throws, none.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        // The batch is recorded even if the ledger cannot be written; the next call retries that.
        defer { try? noteLosses() }
        do throws(RecordingError) {
            try enter(batch.run, queue: batch.ringPath)
            try session.splitIfDue(now: .now)
            try batch.forEach { view throws(RecordingError) in try take(view) }
            try session.commit(mark: batch.mark)
            reportedKind = nil
            publish()
            if let lastPath, lastPath != path { findEnded() }
            lastPath = path
        } catch {
            throw failure(error)
        }
    }

    /// Notifies the uploader of finished recordings.
    private func findEnded() {
        #if HTTP
        uploader?.notify()
        #endif
    }

    private func take(_ view: borrowing RecordView) throws(RecordingError) {
        let place = GeoEvent(place: view)
        guard place != nil || options.includesLogs || view.eventName == MotionReading.eventName else { return }
        let event = place ?? .log(LogRecord(view))
        let before = session.path
        try session.take(event, received: view.timestamp, uptime: event.location?.extra.uptime)
        findLosses()
        if session.path != before { beginNumbers() }
        guard !isResumed else { return }
        let number = view.sequence
        numbers = numbers.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
    }

    /// Makes everything recorded so far survive power loss.
    ///
    /// - Throws: A permanent error after the system has failed to write a recording to disk, until the recording is
    ///   deleted.
    public func flush() throws(SinkError) {
        do throws(RecordingError) { try session.flush() } catch {
            try? noteLosses()
            throw failure(error, isFlush: true)
        }
        try noteLosses()
    }

    /// Ends the recording, and the uploads after their time limit.
    public func close() throws(SinkError) {
        #if HTTP
        defer { uploader?.stop() }
        #endif
        demand = nil
        try end()
        try flush()
    }

    private func end() throws(SinkError) {
        let last = status
        do throws(RecordingError) { try session.finish(at: .now) } catch {
            try? noteLosses()
            throw failure(error, isFlush: true)
        }
        findEnded()
        if !last.isEmpty { book.status?.publish(last + [LogValueEntry("ended", .bool(true))], isFinal: true) }
        try noteLosses()
    }

    /// The status that `taffrail status` prints; empty while nothing is being recorded.
    private var status: [LogValueEntry] {
        guard let path else { return [] }
        return [
            LogValueEntry("recording", .string(path)), LogValueEntry("bytes", .int(Int64(size))),
            LogValueEntry("events", .int(Int64(recordedBefore + session.recordedEvents))),
            LogValueEntry("lost", .int(Int64(lostEvents))),
        ] + uploadStatus
    }

    private var uploadStatus: [LogValueEntry] {
        #if HTTP
        guard let status = uploader?.status else { return [] }
        let waiting = LogValueEntry("to_upload", .int(Int64(status.waiting)))
        return [waiting] + (status.problem.map { [LogValueEntry("upload_problem", .string($0))] } ?? [])
        #else
        return []
        #endif
    }

    private func publish() {
        let status = status
        if !status.isEmpty { book.status?.publish(status) }
    }

    /// Ends the recording; the next event starts another one. A recording inherited by a forked child is left to the
    /// parent.
    public func reopen() throws(SinkError) {
        guard process != ThisProcess.id else { return try end() }
        #if HTTP
        // The parent also uploads the child's recordings; its threads and locks do not exist in the child.
        if let parents = uploader, parents.isOfParent {
            _ = Unmanaged.passRetained(parents)
            uploader = nil
        }
        #endif
        lostBefore += session.lostEvents
        recordedBefore = 0
        session = RecordingSession(options)
        run = nil
        unfinished = [:]
        hasFoundUnfinished = false
        // The parent records its own losses.
        attributed = lostBefore
        unnoted = []
    }

    /// Returns the position in the queue that is stored in a recording of that run.
    public func position(in ring: RingID) -> UInt64? {
        findUnfinished()
        return unfinished[ring]?.position
    }

    // MARK: Runs

    /// Switches to another run's records. Those of dead runs continue their recordings, which are then ended.
    private func enter(_ next: RingID, queue: String?) throws(RecordingError) {
        guard run != next else { return }
        findUnfinished()
        try session.finish()
        lostBefore += session.lostEvents
        recordedBefore += session.recordedEvents
        let lost = session.lost
        session = RecordingSession(options)
        session.lost = lost
        beginNumbers()
        if let found = unfinished.removeValue(forKey: next) {
            do throws(RecordingError) {
                try session.resume(found.path)
                isResumed = true
            } catch {
                Diagnostics.report("starting a new recording: \(error)")
            }
        } else {
            // Dead runs precede the current one, so their recordings are complete.
            tidy(queue)
        }
        run = next
        process = ThisProcess.id
    }

    /// Finds the recordings of dead runs.
    private func findUnfinished() {
        guard !hasFoundUnfinished else { return }
        hasFoundUnfinished = true
        for (path, mark) in RecordingLeftovers.unfinished(in: options.directory) {
            unfinished[mark.run] = (path, mark.position)
        }
    }

    /// Ends recordings of dead runs, and repairs those damaged by a power loss.
    private func tidy(_ queue: String?) {
        unfinished.removeAll()
        #if HTTP
        // An upload that has begun continues only under the same name.
        let uploaded = uploadOptions.map { _ in UploadedRecordings(of: name, in: options.directory).names }
        #else
        let uploaded: Set<String>? = nil
        #endif
        let queues = queue.map { Directory.parent(of: $0) ?? "." }
        for problem in session.tidy(queues: queues, compressing: uploaded) { Diagnostics.report(problem) }
    }

    // MARK: Losses

    private func beginNumbers() {
        numbers = nil
        isResumed = false
    }

    /// Attributes the records of a lost recording to the run that wrote it: each contains one run's records.
    private func findLosses() {
        guard lostEvents > attributed, let run else { return }
        unnoted.append(Loss(count: UInt64(lostEvents - attributed), run: run, numbers: numbers))
        attributed = lostEvents
        beginNumbers()
    }

    /// Records the losses in the ledger; failures are retried by the next call.
    private func noteLosses() throws(SinkError) {
        findLosses()
        while let loss = unnoted.first {
            try book.note(loss.count, lostBy: .deleted, of: loss.run, among: loss.numbers)
            unnoted.removeFirst()
        }
    }

    private func failure(_ error: RecordingError, isFlush: Bool = false) -> SinkError {
        if reportedKind != error.kind && (error.kind == .denied || error.kind == .full) {
            reportedKind = error.kind
            let description = "cannot record: \(error.reason)"
            feed.publish(.error(error.kind == .denied ? .denied(description) : .locationUnknown(description)))
        }
        return SinkError(isFlush && session.hasLostWrites ? .permanent : .temporary, reason: "\(error)")
    }
}
