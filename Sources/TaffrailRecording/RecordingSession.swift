public import Taffrail
public import TaffrailGeo
internal import TaffrailText

/// Records events into files of a directory: starts, splits, flushes and ends them. One thread at a time.
///
/// The first event starts the first file, unless ``begin(at:uptime:)`` does. If a file is deleted or truncated during
/// writing, that is reported and its lost events are counted; the next event starts another file, in a new directory if
/// that was deleted too. Events survive SIGKILL after ``commit()``; they survive power loss after
/// ``RecordingOptions/flushEvents`` events or ``RecordingOptions/flushInterval``, in the background.
public final class RecordingSession {
    /// The recording options.
    public let options: RecordingOptions
    private let privacy: PrivacyFilter
    private let makeMetadata: (Timestamp) -> RecordingMetadata
    private var writer: RecordingWriter?
    private var sync: BackgroundSync?
    private let compressor = RecordingCompressor()
    private var unsynced = 0
    private var move: MinimumMove
    /// ``move`` after the last commit.
    private var committedMove: MinimumMove
    private var schedule = RecordingSchedule()
    /// Files that have been ended and may not survive power loss.
    package var lost = LostRecordings()
    /// The start of the next file, if it does not start with an event.
    private var begun: (start: Timestamp, uptime: Int64?)?
    /// The number of committed events.
    public private(set) var recordedEvents = 0
    /// The number of committed events that were lost with files that were deleted or truncated during writing.
    public private(set) var lostEvents = 0

    /// Creates a session without opening a file.
    ///
    /// - Parameters:
    ///   - options: The recording options.
    ///   - makeMetadata: The metadata of a recording that starts at a given time.
    public init(
        _ options: RecordingOptions,
        metadata makeMetadata: @escaping (Timestamp) -> RecordingMetadata = { .forCurrentDevice(at: $0) }
    ) {
        self.options = options
        self.makeMetadata = makeMetadata
        privacy = PrivacyFilter(options.privacy)
        move = MinimumMove(metres: options.minimumMove)
        committedMove = move
    }

    /// The current file.
    public var path: String? { writer?.path }
    /// Its metadata.
    public var metadata: RecordingMetadata? { writer?.metadata }
    /// Its size in bytes.
    public var size: Int { writer?.size ?? 0 }

    /// Starts a file before its first event, unless one is open: times of events count from `start`.
    ///
    /// - Parameters:
    ///   - start: The start of the recording.
    ///   - uptime: The start by the monotonic clock, in nanoseconds, if known.
    /// - Throws: When the file cannot be created. The first event then creates it, with times still counted from
    ///   `start`.
    public func begin(at start: Timestamp, uptime: Int64?) throws(RecordingError) {
        guard writer == nil else { return }
        begun = (start, uptime)
        try prepare(for: start, uptime: uptime)
    }

    /// Adds an event, which is in the file only after ``commit()``.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - received: The time of receipt, by the wall clock.
    ///   - uptime: The time of receipt by the monotonic clock, in nanoseconds, if known.
    /// - Throws: When a file is needed and cannot be created.
    public func take(_ event: GeoEvent, received: Timestamp, uptime: Int64?) throws(RecordingError) {
        guard let event = admitted(event) else { return }
        // A position that is omitted starts no file, and one whose file cannot be created is not the last recorded one.
        guard !move.omits(event) else { return }
        try prepare(for: received, uptime: uptime)
        move.record(event)
        let relativeTime = schedule.relativeTime(received: received, uptime: uptime)
        writer?.append(RecordedEvent(timestamp: received, relativeTime: relativeTime, event: event))
    }

    /// Returns the event after the privacy options have been applied; `nil` if it is not recorded.
    private func admitted(_ event: GeoEvent) -> GeoEvent? {
        switch event {
        case .location(let location):
            if privacy.isEmpty { return event }
            return privacy.filtered(location).map { .location($0) }
        case .error: return event
        case .log(let record):
            // Sensor readings belong to the track, because an input produces them only on request.
            guard options.includesLogs || record.eventName == MotionReading.eventName else { return nil }
            return .log(privacy.filtered(record))
        }
    }

    /// Writes the added events to the file: all of them or, if it throws, none. After an error they are discarded, and
    /// the caller must add them again.
    ///
    /// - Parameter mark: The position in the caller's queue up to which the recording then contains the events.
    package func commit(mark: RingMark?) throws(RecordingError) {
        guard let writer, writer.pendingEvents > 0 else { return }
        let count = writer.pendingEvents
        let before = writer.mark
        writer.mark = mark
        do throws(SystemError) {
            if let failure = newFailure(of: writer) { throw failure }
            try writer.commit()
        } catch {
            writer.mark = before
            writer.discardPending()
            move = committedMove
            throw RecordingError(error, path: writer.path)
        }
        committedMove = move
        recordedEvents += count
        unsynced += count
        if unsynced >= options.flushEvents {
            unsynced = 0
            sync?.request()
        } else {
            sync?.request(after: options.flushInterval)
        }
    }

    /// Writes the added events to the file. They then survive SIGKILL, but not power loss.
    public func commit() throws(RecordingError) { try commit(mark: nil) }

    /// Starts a new file, if the current one has reached the size or duration at which to split. No event may be
    /// waiting for a commit.
    public func splitIfDue(now: Timestamp) throws(RecordingError) {
        guard let writer else { return }
        let isLarge = options.splitSize.map { writer.size >= $0.bytes } ?? false
        let isLong = options.splitInterval.map { now - writer.metadata.recordedAt >= $0 } ?? false
        guard (isLarge || isLong) && writer.metadata.eventCount > 0 else { return }
        let closed = writer.path
        try finish()
        if options.compressesClosed { compressor.add([closed]) }
    }

    /// Ends the recordings of dead runs, and repairs damaged ones. Compresses ended ones in the background, if the options
    /// require it: earlier runs may have ended before they did.
    ///
    /// - Parameters:
    ///   - queues: A directory of queues, in addition to the recorder's own.
    ///   - names: The only recordings that may be compressed; `nil`: all.
    /// - Returns: The failures, one per line.
    package func tidy(queues: String? = nil, compressing names: Set<String>? = nil) -> [String] {
        let problems = RecordingLeftovers.tidy(options.directory, queues: queues)
        if options.compressesClosed {
            let ended = RecordingLeftovers.ended(in: options.directory)
            compressor.add(ended.filter { names?.contains(FileName.base(of: $0)) ?? true })
        }
        return problems
    }

    /// Makes committed events survive power loss, and waits until they do.
    ///
    /// - Throws: After the system has failed to write a part of a file to the disk, until that file is deleted or replaced.
    public func flush() throws(RecordingError) {
        if let writer {
            if isLost(writer) { throw abandon(writer) }
            unsynced = 0
            _ = newFailure(of: writer)
            do throws(SystemError) { try writer.sync() } catch { throw RecordingError(error, path: writer.path) }
        }
        if let path = lost.first() {
            throw RecordingError(.system, path: path, reason: "a part of \(path) was not written to the disk")
        }
    }

    /// Whether a power loss may lose events that can no longer be made durable.
    package var hasLostWrites: Bool { writer?.lostWrites != nil || !lost.isEmpty }

    /// Returns a new failure of the background synchronization, and stores it as the failure of the file.
    private func newFailure(of writer: RecordingWriter) -> SystemError? {
        guard writer.lostWrites == nil, let failure = sync?.failure else { return nil }
        writer.lostWrites = failure
        return failure
    }

    /// Ends the current file; a later event starts another one.
    ///
    /// - Parameter time: The end of the recording; `nil`: the time of its last event.
    /// - Throws: When the file has ended but a part of it could not be written to the disk, or when it cannot end yet.
    public func finish(at time: Timestamp? = nil) throws(RecordingError) {
        begun = nil
        guard let writer else { return }
        if isLost(writer) { throw abandon(writer) }
        let lasted = time.map { $0.seconds(since: writer.metadata.recordedAt) } ?? 0
        // A wall clock that was set meanwhile does not give the duration.
        let seconds = lasted > writer.metadata.seconds && lasted < writer.metadata.seconds + 3_600 ? lasted : 0
        _ = newFailure(of: writer)
        var failure: RecordingError?
        do throws(SystemError) { try writer.close(seconds: seconds) } catch {
            failure = RecordingError(error, path: writer.path)
        }
        // Otherwise the file is still open, and a later call ends it.
        if writer.isClosed {
            if writer.lostWrites != nil { lost.add(writer.path) }
            self.writer = nil
            sync = nil
            RecordingRetention.apply(options, current: nil, now: .now)
        }
        if let failure { throw failure }
    }

    /// Continues a recording that a dead run of the program was writing.
    package func resume(_ path: String) throws(RecordingError) {
        let writer = try RecordingWriter(continuing: path)
        schedule = RecordingSchedule()
        schedule.begin(at: writer.metadata.recordedAt, uptime: nil, last: writer.metadata.seconds)
        try adopt(writer)
    }

    /// Returns whether a file can no longer be written, because another program has deleted or truncated it.
    private func isLost(_ writer: RecordingWriter) -> Bool { writer.isDeleted || writer.isTruncated }

    /// Closes a file that has been deleted or truncated, and counts the events that are lost.
    private func abandon(_ writer: RecordingWriter) -> RecordingError {
        let isDeleted = writer.isDeleted
        var count = writer.metadata.eventCount
        // The next run repairs what remains of a truncated file.
        if !isDeleted, let rest = try? RecordingReport(checking: writer.path) { count -= min(count, rest.events) }
        lostEvents += count
        self.writer = nil
        sync = nil
        let lost = CountText.text(count, "event is", "events are") + " lost"
        return RecordingError(
            isDeleted ? .missing : .malformed, path: writer.path,
            reason: "\(writer.path) was \(isDeleted ? "deleted" : "truncated") during writing: \(lost)")
    }

    private func prepare(for received: Timestamp, uptime: Int64?) throws(RecordingError) {
        if let writer {
            // Checked once for each commit, not for each event.
            guard writer.pendingEvents == 0, isLost(writer) else { return }
            Diagnostics.report("\(abandon(writer)); starting a new recording")
        }
        let (received, uptime) = begun ?? (received, uptime)
        try prepareDirectory()
        for number in 1..<1_000 {
            let path = options.directory + "/" + RecordingName.name(received, number: number)
            do throws(SystemError) {
                let new = try RecordingWriter(path: path, metadata: makeMetadata(received), faults: options.faults)
                schedule = RecordingSchedule()
                schedule.begin(at: received, uptime: uptime, last: 0)
                do throws(RecordingError) { try adopt(new) } catch {
                    throw SystemError(error.reason, code: Errno.inputOutput)
                }
                begun = nil
                RecordingRetention.apply(options, current: FileName.base(of: path), now: received)
                return
            } catch {
                if !error.isTaken { throw RecordingError(error, path: path) }
            }
        }
        throw RecordingError(.system, path: options.directory, reason: "too many recordings in one second")
    }

    private func adopt(_ new: RecordingWriter) throws(RecordingError) {
        do throws(SystemError) { sync = try BackgroundSync(path: new.path) } catch {
            throw RecordingError(error, path: new.path)
        }
        writer = new
        unsynced = 0
    }

    /// Creates the directory, and excludes its recordings from version control, because they are personal.
    private func prepareDirectory() throws(RecordingError) {
        do throws(SystemError) {
            try options.faults?.check("create \(options.directory)")
            try Directory.create(options.directory)
            let ignore = options.directory + "/.gitignore"
            try? FileDescriptor(creating: ignore).write(Array("*\n".utf8))
        } catch {
            throw RecordingError(error, path: options.directory)
        }
    }
}
