public import Taffrail
internal import TaffrailQuery

/// Counts the records of queries, and raises alerts.
///
/// For each batch that changes the state of a rule, the state and the offset in the queue are stored in one step, so
/// that a kill neither counts records twice nor repeats alerts. Add the ``input`` to the pipeline too, as a
/// configuration does: it logs the alerts, and raises alerts that are due because no records arrive.
public final class AlertsSink: Sink {
    /// The instance's name.
    public let name: String
    private let options: AlertsOptions
    private let instance: PluginInstance
    private let path: String
    private var book: AlertBook
    private var hasJoined = false
    private var status: SinkBook.StatusFile?

    /// Creates a sink; its file is opened when a configuration takes effect, or by the first record.
    public convenience init(_ options: AlertsOptions, instance: PluginInstance) {
        self.init(options, instance: instance, book: .at(options.file(of: instance)))
    }

    init(_ options: AlertsOptions, instance: PluginInstance, book: AlertBook) {
        self.options = options
        self.instance = instance
        self.book = book
        path = book.path
        name = instance.name
    }

    /// The input that logs the alerts, and raises alerts that are due because no records arrive.
    public var input: any Input { AlertsInput(options, instance: instance) }

    /// The path of the file.
    public var destinations: [String] { [path] }

    /// `.taffrail` next to the file.
    public var stateDirectory: String? {
        let directory = (Directory.parent(of: path) ?? ".") + "/.taffrail"
        try? Directory.create(directory)
        return directory
    }

    /// Opens the file.
    public func openDestination() throws(SinkError) {
        do throws(SystemError) { try book.open(options.rules) } catch {
            guard error.isBusy else { throw .temporary("cannot open: \(error)") }
            Diagnostics.report("\(name): another process uses \(path); records stay in the queue until it is released")
        }
    }

    /// Puts its rules into effect. The book's status file reports how many alerts are not logged yet or were dropped.
    public func attach(_ sinkBook: SinkBook) {
        status = sinkBook.status
        guard !hasJoined else { return }
        hasJoined = true
        book.join(options.rules)
        try? book.open(options.rules)
    }

    /// Counts the records of a batch: all of them or, after an error, none.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        let (records, ends) = StoredRecord.all(in: batch, device: options.device ?? "")
        guard !records.isEmpty else { return }
        do throws(SystemError) {
            try book.open(options.rules)
            try book.take(records, ends: ends, of: batch.run, upTo: batch.end)
        } catch {
            throw .temporary("cannot store the state of alerts: \(error)")
        }
        publish()
    }

    private func publish(isFinal: Bool = false) {
        let values = book.status
        if !values.isEmpty { status?.publish(values, isFinal: isFinal) }
    }

    /// Makes the state survive power loss.
    public func flush() throws(SinkError) {
        do throws(SystemError) { try book.flush() } catch { throw .temporary("cannot flush: \(error)") }
    }

    /// Flushes, and closes the file.
    public func close() throws(SinkError) {
        defer { hasJoined = false }
        publish(isFinal: true)
        do throws(SystemError) { try book.leave(hasJoined) } catch { throw .temporary("cannot close: \(error)") }
    }

    /// In a forked child: starts without the parent's file, which it can open when the parent ends; until then its
    /// queue keeps the records.
    public func reopen() throws(SinkError) {
        guard !book.isOwn else { return }
        book = .at(path)
        book.join(options.rules)
    }

    /// Does nothing: there is no next file.
    public func rotate() throws(SinkError) {}

    /// Returns the position in the queue that is stored in the file.
    public func position(in ring: RingID) -> UInt64? {
        try? book.open(options.rules)
        return book.position(in: ring)
    }
}
