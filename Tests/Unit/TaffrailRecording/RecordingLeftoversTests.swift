import Taffrail
import TaffrailTestSupport
import TaffrailText
import Testing

@testable import TaffrailRecording

/// Which recordings of earlier runs have been ended.
@Suite(.mayBlock) struct RecordingLeftoversTests {
    private let folder = TemporaryDirectory()

    /// Begins a recording of some events.
    private func session(device: String = "ferry", events: Int) throws -> (session: RecordingSession, path: String) {
        let session = RecordingSession(RecordingOptions(directory: folder.path)) {
            RecordingMetadata(recordedAt: $0, device: device)
        }
        try session.begin(at: RecordingWriterTests.start, uptime: nil)
        for index in 0..<events {
            let received = RecordingWriterTests.start + .seconds(index)
            try session.take(RecordingSessionTests.location(index), received: received, uptime: nil)
        }
        try session.commit()
        return (session, try #require(session.path))
    }

    @Test(arguments: [0, 3], [10, 5_000])
    func `an ended recording is not changed, whatever its length and that of its metadata`(
        events: Int, length: Int
    ) throws {
        let (session, path) = try session(device: String(repeating: "d", count: length), events: events)
        #expect(!RecordingLeftovers.isEnded(path))
        try session.finish()
        #expect(RecordingLeftovers.isEnded(path))
        let modified = RecordingWriterTests.start.nanoseconds
        try FileName.setModified(path, to: modified)
        #expect(RecordingLeftovers.tidy(folder.path).isEmpty)
        #expect(try FileStatus.following(path).modified == modified)
    }

    @Test(arguments: [0, 3], [10, 5_000])
    func `a recording that was not ended is, whatever its length and that of its metadata`(
        events: Int, length: Int
    ) throws {
        let path = try {
            // Dropped without an end, as a crash does.
            try session(device: String(repeating: "d", count: length), events: events).path
        }()
        #expect(!RecordingLeftovers.isEnded(path))
        #expect(RecordingLeftovers.tidy(folder.path).isEmpty)
        #expect(RecordingLeftovers.isEnded(path))
        #expect(try RecordingReport(checking: path).events == events)
    }
}
