#if HTTP
import Foundation
import Glibc
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailGeoRecorder
@testable import TaffrailHTTP
@testable import TaffrailRecording

/// A directory of recordings, and the receiver that they are uploaded to.
struct RecordingUploadTrial {
    let folder = TemporaryDirectory()
    let receiver: RecordingReceiver

    init() throws { receiver = try RecordingReceiver() }

    /// The file with the names of uploaded recordings.
    var list: String { folder.file(".taffrail/recorder.uploaded") }

    /// Ends a recording of that many positions.
    ///
    /// - Returns: Its name.
    @discardableResult
    func record(_ count: Int, hour: Int = 0) throws -> String {
        let session = RecordingSession(RecordingOptions(directory: folder.path))
        for index in 0..<count {
            let event = GeoRecorderSinkTests.location(3600 * hour + index)
            try session.take(event, received: event.location?.timestamp ?? .now, uptime: nil)
        }
        try session.commit()
        let path = try #require(session.path)
        try session.finish()
        return (path as NSString).lastPathComponent
    }

    func options(_ change: (inout RecordingUploadOptions) -> Void = { _ in }) -> RecordingUploadOptions {
        var options = RecordingUploadOptions(url: receiver.url)
        options.device = "car7"
        change(&options)
        return options
    }

    func upload(
        name: String = "recorder", partSize: Int = 1 << 20, compresses: Bool = false,
        list: String? = nil, now: @escaping @Sendable () -> Int64 = { SystemClock.wallNanoseconds() },
        change: (inout RecordingUploadOptions) -> Void = { _ in }
    ) -> RecordingUpload {
        var recording = RecordingOptions(directory: folder.path)
        recording.compressesClosed = compresses
        let options = options(change)
        return RecordingUpload(
            recording, options, list: list ?? self.list,
            channel: HTTPChannel(options.url, options.delivery, name: name), name: name, partSize: partSize, now: now)
    }

    /// Advances an upload until nothing more can be done now.
    func run(_ upload: inout RecordingUpload, limit: Int = 1000) -> RecordingUpload.Next {
        for _ in 0..<limit {
            let next = upload.advance()
            if next != .now { return next }
        }
        return .now
    }

    /// Advances an upload until a state is reached. On a busy machine a request may fail, and is sent again later.
    func advance(_ upload: inout RecordingUpload, until isReached: () -> Bool) {
        for _ in 0..<1000 where !isReached() {
            if case .wait(let time) = upload.advance() { wait(time) }
        }
    }

    private func wait(_ time: Duration) { poll(nil, 0, Int32(clamping: time.nanoseconds / 1_000_000 + 1)) }

    /// Advances an upload until nothing is left. On a busy machine a request may fail, and is sent again after a while.
    func runToEnd(_ upload: inout RecordingUpload) -> RecordingUpload.Next {
        for _ in 0..<20 {
            guard case .wait(let time) = run(&upload) else { break }
            wait(time)
        }
        return run(&upload)
    }
}
#endif
