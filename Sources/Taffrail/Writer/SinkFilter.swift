/// Which records a sink gets, of those that its pipeline lets through. All conditions that are given hold.
public struct SinkFilter: Sendable, Hashable {
    /// The minimum level. Default ``Level/trace``: all.
    public var level: Level
    /// Only loggers of these names, and those below them (`net.http` is below `net`). Default: all.
    public var loggers: [String]
    /// Only records with these event names. Default: all, also those without.
    public var events: [String]

    /// Makes a filter; without conditions it lets everything through.
    public init(level: Level = .trace, loggers: [String] = [], events: [String] = []) {
        self.level = level
        self.loggers = loggers
        self.events = events
    }

    /// Whether it lets everything through.
    public var isEmpty: Bool { level == .trace && loggers.isEmpty && events.isEmpty }

    /// Whether it lets a record through.
    public func passes(_ record: borrowing RecordView) -> Bool {
        if record.level < level { return false }
        if !loggers.isEmpty {
            var isBelow = false
            for name in loggers where record.isLogged(below: name) { isBelow = true }
            if !isBelow { return false }
        }
        return events.isEmpty || record.hasEvent(among: events)
    }
}

/// A sink that gets only some of a pipeline's records: ``Sink/filtered(level:loggers:events:)``.
public final class FilteredSink: Sink {
    /// The sink that gets them.
    public let base: any Sink
    /// Which ones.
    public let filter: SinkFilter
    private let sieve: SinkSieve

    /// Takes a sink; of one that is filtered already, and no further, its base and filter.
    package init(_ base: any Sink, _ filter: SinkFilter = SinkFilter()) {
        let filtered = filter.isEmpty ? base as? FilteredSink : nil
        self.base = filtered?.base ?? base
        self.filter = filtered?.filter ?? filter
        sieve = SinkSieve(self.filter)
    }

    // A pipeline takes the two apart and calls none of these.

    /// That of the sink.
    public var name: String { base.name }
    /// Those of the sink.
    public var destinations: [String] { base.destinations }
    /// That of the sink.
    public var patience: Duration? { base.patience }
    /// That of the sink.
    public var stateDirectory: String? { base.stateDirectory }
    /// Has the sink open its destination.
    public func openDestination() throws(SinkError) { try base.openDestination() }
    /// Hands the book to the sink.
    public func attach(_ book: SinkBook) { base.attach(book) }
    /// Gives the sink what the filter lets through.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        let passed = sieve.pass(batch.copy())
        guard passed.count > 0 else { return }
        do throws(SinkError) { try base.write(passed) } catch {
            let end = passed.position(after: error.taken(of: passed.count))
            throw SinkError(error.kind, taken: batch.count(upTo: end), reason: error.reason)
        }
    }
    /// Flushes the sink.
    public func flush() throws(SinkError) { try base.flush() }
    /// Closes the sink.
    public func close() throws(SinkError) { try base.close() }
    /// Has the sink open its destination anew.
    public func reopen() throws(SinkError) { try base.reopen() }
    /// Rotates the sink.
    public func rotate() throws(SinkError) { try base.rotate() }
    /// That of the sink.
    public func position(in ring: RingID) -> UInt64? { base.position(in: ring) }
}

extension Sink {
    /// This sink, for only some of the records that the pipeline lets through, as `level:` and `only:` in a
    /// configuration:
    ///
    ///     Pipeline(sinks: [try FileSink(all), try FileSink(errors).filtered(level: .error)])
    ///
    /// What it does not get is counted as filtered, not as lost.
    ///
    /// - Parameters:
    ///   - level: The minimum level. Default ``Level/trace``.
    ///   - loggers: Only loggers of these names and those below them. Default: all.
    ///   - events: Only records with these event names. Default: all.
    public func filtered(level: Level = .trace, loggers: [String] = [], events: [String] = []) -> FilteredSink {
        FilteredSink(self, SinkFilter(level: level, loggers: loggers, events: events))
    }
}
