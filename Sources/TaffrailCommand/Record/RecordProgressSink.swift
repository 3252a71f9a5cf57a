internal import Taffrail
internal import TaffrailGeo
internal import TaffrailGeoRecorder

/// A recorder that reports its progress.
final class RecordProgressSink: Sink {
    private let base: any Sink
    private let progress: RecordProgress
    /// Reports the state of the recorder, and its failure.
    private let report: (String?) -> Void

    convenience init(_ recorder: GeoRecorderSink, _ progress: RecordProgress) {
        self.init(recorder, progress) { failure in
            progress.take(
                path: recorder.path, metadata: recorder.metadata, size: recorder.size,
                lostEvents: recorder.lostEvents, failure: failure)
        }
    }

    init(_ base: any Sink, _ progress: RecordProgress, report: @escaping (String?) -> Void) {
        self.base = base
        self.progress = progress
        self.report = report
    }

    var name: String { base.name }
    var destinations: [String] { base.destinations }
    var patience: Duration? { base.patience }
    var stateDirectory: String? { base.stateDirectory }
    var logFile: LogFile? { base.logFile }

    func openDestination() throws(SinkError) { try base.openDestination() }
    func attach(_ book: SinkBook) { base.attach(book) }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        do throws(SinkError) { try base.write(batch) } catch {
            report(error.reason)
            throw error
        }
        report(nil)
        var positions = 0
        batch.forEach { view in if view.eventName == GeoAttributes.locationEvent { positions += 1 } }
        progress.add(recordedPositions: positions)
    }

    func flush() throws(SinkError) { try base.flush() }
    func close() throws(SinkError) {
        defer { report(nil) }
        try base.close()
    }
    func close(within limit: Duration) throws(SinkError) {
        defer { report(nil) }
        try base.close(within: limit)
    }
    func reopen() throws(SinkError) { try base.reopen() }
    func rotate() throws(SinkError) { try base.rotate() }
    func position(in ring: RingID) -> UInt64? { base.position(in: ring) }
}
