#if Journald
public import Taffrail
internal import TaffrailText

/// Sends records to journald in its native protocol.
///
/// It waits for journald at most a tenth of a second at a time. While journald hangs (for longer than
/// ``JournaldOptions/patience``), is stopped or is not installed, records are written to a file in the log directory,
/// `NAME-fallback.log`, which is rotated like a log. This is reported once, and the sink returns to journald by itself.
///
/// journald receives each record at least once: it cannot be queried, so a program that dies between sending and
/// storing its offset sends records again. Duplicates have the same `TAFFRAIL_RUN` and `TAFFRAIL_SEQ`. The durability
/// of records in journald depends on its `SyncIntervalSec` (5 minutes; immediately for ``Level/critical``), not on
/// ``flush()``.
public final class JournaldSink: Sink {
    /// The instance's name.
    public let name: String
    /// The socket and the identifier of the entries.
    public let destinations: [String]
    private let options: JournaldOptions
    private let fallbackName: String
    private let makeFallback: () throws(SinkError) -> any Sink
    private var socket: JournalSocket?
    private var entry: JournalEntry
    private var state = State.connected
    /// The number of records written to the fallback file during earlier failures.
    private var inFallback = 0
    private var fallback: (any Sink)?
    private var book = SinkBook.none

    private enum State {
        case connected
        /// journald has not been reading since this time of the monotonic clock.
        case hanging(since: Int64)
        /// Records are written to the fallback file: the time of the next retry, and the number of records so far.
        case unavailable(retryAt: Int64, records: Int)
    }

    /// How long one call waits while journald does not read.
    private static let waitLimit = Duration.milliseconds(100)
    /// The delay after a failed attempt.
    private static let retryDelay = Duration.seconds(1)
    /// The reason of a failure while journald does not read.
    private static let obstacle = "is not accepting entries"

    /// Creates a sink. Opens nothing before its first record.
    public convenience init(_ options: JournaldOptions = JournaldOptions(), instance: PluginInstance) {
        let path = "\(instance.logDirectory)/\(instance.name)-fallback.log"
        self.init(options, name: instance.name, program: instance.program, fallbackName: path) { () throws(SinkError) in
            do throws(OptionError) {
                return try FileSink(FileOptions(path: path))
            } catch {
                throw .temporary("\(error)")
            }
        }
    }

    /// Creates a sink with a given fallback.
    ///
    /// - Parameters:
    ///   - options: Its options.
    ///   - name: The instance's name.
    ///   - program: The identifier if the options contain none.
    ///   - fallbackName: The name of the fallback in messages.
    ///   - makeFallback: Called when journald is unavailable for the first time.
    public init(
        _ options: JournaldOptions, name: String, program: String, fallbackName: String,
        makeFallback: @escaping () throws(SinkError) -> any Sink
    ) {
        self.options = options
        self.name = name
        destinations = options.destinations(of: program)
        self.fallbackName = fallbackName
        self.makeFallback = makeFallback
        entry = JournalEntry(identifier: options.identifier ?? program)
    }

    /// Sets the book with the status file.
    public func attach(_ book: SinkBook) { self.book = book }

    /// Sends the records, or writes them into the fallback file.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        if case .unavailable(let retryAt, _) = state, SystemClock.monotonicNanoseconds() < retryAt {
            return try writeToFallback(batch)
        }
        var taken = 0
        do throws(SinkError) {
            try batch.forEach { record throws(SinkError) in
                entry.set(record)
                try send(taken: taken)
                taken += 1
            }
        } catch {
            guard taken == 0, case .unavailable = state, options.fallback else { throw error }
            try writeToFallback(batch)
        }
    }

    /// Makes the fallback file's records survive power loss.
    public func flush() throws(SinkError) { try fallback?.flush() }

    /// Closes the fallback file and the connection.
    public func close() throws(SinkError) {
        if case .unavailable = state { publish() }
        socket = nil
        try fallback?.close()
    }

    /// Reconnects.
    public func reopen() throws(SinkError) {
        socket = nil
        try fallback?.reopen()
    }

    // MARK: Sending

    /// Sends the entry; throws if journald does not accept it now.
    private func send(taken: Int) throws(SinkError) {
        var deadline: Int64?
        while true {
            switch attempt() {
            case .sent:
                reconnected()
                return
            case .refused(let code):
                throw .permanent("journald refused a record: \(Errno.text(code))", taken: taken)
            case .gone(let code):
                socket = nil
                throw switchToFallback(reason: Errno.text(code), taken: taken)
            case .full:
                let now = SystemClock.monotonicNanoseconds()
                if let deadline, now >= deadline { throw hang(at: now, taken: taken) }
                // An unavailable journald is retried without waiting.
                if case .unavailable = state { throw switchToFallback(reason: Self.obstacle, taken: taken) }
                let limit = deadline ?? now + Self.waitLimit.nanoseconds
                deadline = limit
                socket?.waitForSpace(timeout: .nanoseconds(limit - now))
            }
        }
    }

    private func attempt() -> JournalSocket.Outcome {
        do throws(JournalSocket.Failure) {
            if let socket { return socket.send(entry.bytes) }
            let made = try JournalSocket(path: options.socket)
            socket = made
            return made.send(entry.bytes)
        } catch {
            return .gone(error.code)
        }
    }

    private func hang(at now: Int64, taken: Int) -> SinkError {
        switch state {
        case .hanging(let since) where now - since >= options.patience.nanoseconds:
            return switchToFallback(reason: Self.obstacle, taken: taken)
        case .connected: state = .hanging(since: now - Self.waitLimit.nanoseconds)
        default: break
        }
        return .temporary("journald \(Self.obstacle)", taken: taken)
    }

    /// Switches to the fallback until the next retry.
    private func switchToFallback(reason: String, taken: Int) -> SinkError {
        let error = SinkError.temporary("journald at \(options.socket): \(reason)", taken: taken)
        guard options.fallback else { return error }
        let retryAt = SystemClock.monotonicNanoseconds(after: Self.retryDelay)
        if case .unavailable(_, let records) = state {
            state = .unavailable(retryAt: retryAt, records: records)
        } else {
            state = .unavailable(retryAt: retryAt, records: 0)
            publish()
            Diagnostics.report("\(error.reason); writing records to \(fallbackName) until it recovers")
        }
        return error
    }

    private func reconnected() {
        if case .unavailable(_, let records) = state {
            Diagnostics.report("journald at \(options.socket) has recovered; \(records) records are in \(fallbackName)")
            state = .connected
            inFallback += records
            publish()
        }
        state = .connected
    }

    private func writeToFallback(_ batch: borrowing RecordBatch) throws(SinkError) {
        let sink: any Sink
        if let fallback { sink = fallback } else { sink = try makeFallback() }
        fallback = sink
        var taken = batch.count
        defer {
            if case .unavailable(let retryAt, let records) = state {
                state = .unavailable(retryAt: retryAt, records: records + taken)
            }
            publish(isChange: false)
        }
        do throws(SinkError) { try sink.write(batch) } catch {
            taken = error.taken
            throw error
        }
    }

    /// Updates the status that `taffrail status` prints: nothing if journald has always been available.
    private func publish(isChange: Bool = true) {
        var (isUnavailable, records) = (false, inFallback)
        if case .unavailable(_, let count) = state { (isUnavailable, records) = (true, inFallback + count) }
        book.status?.publish(
            [
                LogValueEntry("destination", .string(isUnavailable ? fallbackName : options.socket)),
                LogValueEntry("fallback_records", .int(Int64(records))),
            ], isFinal: isChange)
    }
}

extension Sink where Self == JournaldSink {
    /// Returns the sink, for setting up a pipeline in code: `Pipeline(sinks: [.journald()])`.
    ///
    /// - Parameters:
    ///   - options: The options. Default: the system's journald.
    ///   - name: The name under which the queue stores the sink's position.
    public static func journald(
        _ options: JournaldOptions = JournaldOptions(), named name: String = "journald"
    ) -> JournaldSink { JournaldSink(options, instance: PluginInstance(named: name)) }
}
#endif
