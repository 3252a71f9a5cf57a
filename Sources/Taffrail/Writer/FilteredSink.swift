/// A sink that gets only some of a pipeline's records: ``Sink/filtered(level:loggers:events:)``.
package final class FilteredSink: Sink {
    /// The sink that gets the accepted records.
    package let base: any Sink
    package let filter: SinkFilter
    private let sieve: SinkSieve

    /// Wraps a sink; for a sink that is already filtered, its base, with both filters.
    package init(_ base: any Sink, _ filter: SinkFilter = SinkFilter()) {
        let filtered = base as? FilteredSink
        self.base = filtered?.base ?? base
        self.filter = filtered.map { filter.with($0.filter) } ?? filter
        sieve = SinkSieve(self.filter)
    }

    // A pipeline separates filter and sink, and calls none of these. All but `write` forward to the sink.

    package var name: String { base.name }
    package var destinations: [String] { base.destinations }
    package var patience: Duration? { base.patience }
    package var stateDirectory: String? { base.stateDirectory }
    package var logFile: LogFile? { base.logFile }
    package func openDestination() throws(SinkError) { try base.openDestination() }
    package func attach(_ book: SinkBook) { base.attach(book) }
    /// Writes the records that the filter accepts.
    package func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        guard let passed = sieve.pass(batch) else { return try base.write(batch) }
        guard passed.count > 0 else { return }
        do throws(SinkError) { try base.write(passed) } catch {
            let end = passed.position(after: error.taken(of: passed.count))
            throw SinkError(error.kind, taken: batch.count(upTo: end), reason: error.reason)
        }
    }
    package func flush() throws(SinkError) { try base.flush() }
    package func close() throws(SinkError) { try base.close() }
    package func close(within limit: Duration) throws(SinkError) { try base.close(within: limit) }
    package func reopen() throws(SinkError) { try base.reopen() }
    package func rotate() throws(SinkError) { try base.rotate() }
    package func position(in ring: RingID) -> UInt64? { base.position(in: ring) }
}

extension Sink {
    /// Restricts this sink to some of the records of the pipeline, as `level:` and `only:` do in a configuration:
    ///
    ///     Pipeline(sinks: [try FileSink(all), try FileSink(errors).filtered(level: .error)])
    ///
    /// The other records are counted as filtered, not as lost.
    ///
    /// - Parameters:
    ///   - level: The minimum level. Default ``Level/trace``.
    ///   - loggers: Only loggers with these names and those below them. Default: all.
    ///   - events: Only records with these event names. Default: all.
    public func filtered(level: Level = .trace, loggers: [String] = [], events: [String] = []) -> some Sink {
        FilteredSink(self, SinkFilter(level: level, loggers: loggers, events: events))
    }
}
