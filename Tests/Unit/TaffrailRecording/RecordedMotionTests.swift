import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailRecording

@Suite(.mayBlock) struct RecordedMotionTests {
    @Test func `a reading is recorded without other log records, and is replayed as what it was`() throws {
        var reading = MotionReading(
            .attitude, timestamp: Timestamp(nanoseconds: 1_767_623_400_250_000_000), device: "/dev/compass")
        reading.heading = 93.25
        reading.acceleration = .init(x: 0.1, y: nil, z: 9.81)
        let folder = TemporaryDirectory()
        let session = RecordingSession(RecordingOptions(directory: folder.path))
        let received = Timestamp(nanoseconds: 1_767_623_401_000_000_000)
        let other = LogRecord(timestamp: received, level: .info, message: "left pier 3")
        for event in [GeoEvent.log(other), .log(reading.record(received: received))] {
            try session.take(event, received: received, uptime: nil)
        }
        try session.commit(mark: nil)
        let path = try #require(session.path)
        try session.finish(at: received)
        var reader = try RecordingReader(path: path)
        var events: [RecordedEvent] = []
        while let event = try reader.next() { events.append(event) }
        try #require(events.count == 1)
        // Into another pipeline, as a replay does.
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false))
        events[0].event.log(into: pipeline, isReplayed: true)
        pipeline.shutdown()
        let record = try #require(sink.records.first { $0.logger == "sensor" })
        #expect(record.eventName == "sensor.motion" && record["taffrail.replay.event"] == nil)
        #expect(MotionReading(record) == reading)
        #expect(record["taffrail.motion.time"] == .date(reading.timestamp))
    }
}
