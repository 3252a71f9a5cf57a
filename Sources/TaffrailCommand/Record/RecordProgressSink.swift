internal import Taffrail
internal import TaffrailGeo
internal import TaffrailGeoRecorder

/// A recorder that reports its progress.
final class RecordProgressSink: Sink {
    private let recorder: GeoRecorderSink
    private let progress: RecordProgress

    init(_ recorder: GeoRecorderSink, _ progress: RecordProgress) {
        self.recorder = recorder
        self.progress = progress
    }

    var name: String { recorder.name }
    var destinations: [String] { recorder.destinations }
    var stateDirectory: String? { recorder.stateDirectory }

    func attach(_ book: SinkBook) { recorder.attach(book) }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        do throws(SinkError) { try recorder.write(batch) } catch {
            tell(error.reason)
            throw error
        }
        tell(nil)
        var positions = 0
        batch.forEach { view in if view.eventName == GeoAttributes.locationEvent { positions += 1 } }
        progress.add(recordedPositions: positions)
    }

    private func tell(_ failure: String?) {
        progress.take(
            path: recorder.path, metadata: recorder.metadata, size: recorder.size,
            lostEvents: recorder.lostEvents, failure: failure)
    }

    func flush() throws(SinkError) { try recorder.flush() }
    func close() throws(SinkError) {
        defer { tell(nil) }
        try recorder.close()
    }
    func reopen() throws(SinkError) { try recorder.reopen() }
    func position(in ring: RingID) -> UInt64? { recorder.position(in: ring) }
}
