#if HTTP
import Foundation
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeoRecorder
@testable import TaffrailHTTP
@testable import TaffrailRecording

/// Ended recordings on their way to a receiver.
@Suite(.mayBlock) struct RecordingUploadTests {
    private let trial: RecordingUploadTrial
    private var folder: TemporaryDirectory { trial.folder }
    private var receiver: RecordingReceiver { trial.receiver }

    init() throws { trial = try RecordingUploadTrial() }

    @Test func `what has been ended arrives whole and once, and what is being recorded does not`() throws {
        let first = try trial.record(500)
        let second = try trial.record(50, hour: 1)
        let session = RecordingSession(RecordingOptions(directory: folder.path))
        let event = GeoRecorderSinkTests.location(7200)
        try session.take(event, received: event.location?.timestamp ?? .now, uptime: nil)
        try session.commit()
        try folder.write("{}", to: "other.json")
        var upload = trial.upload(partSize: 10_000)
        #expect(trial.run(&upload) == .idle)
        let expected = ["car7_" + first: try folder.bytes(first), "car7_" + second: try folder.bytes(second)]
        #expect(receiver.whole == expected)
        #expect(receiver.sentBytes == expected.values.reduce(0) { $0 + $1.count })
        let request = try #require(receiver.server.requests.first { $0.line.hasPrefix("PUT") })
        #expect(
            request.headers["repr-digest"]?.hasPrefix("sha-256=:") == true && request.headers["idempotency-key"] == nil)
        let count = receiver.server.requests.count
        #expect(trial.run(&upload) == .idle)
        // The next run does not even ask.
        var next = trial.upload()
        #expect(trial.run(&next) == .idle && receiver.server.requests.count == count)
        try session.finish()
        #expect(trial.run(&next) == .idle && receiver.whole.count == 3)
    }

    @Test func `an upload continues where an earlier run has stopped`() throws {
        let name = try trial.record(500)
        let bytes = try folder.bytes(name)
        var upload = trial.upload(partSize: 5000)
        trial.advance(&upload) { receiver.sentBytes >= 15_000 }
        #expect(receiver.sentBytes == 15_000 && bytes.count > 20_000)
        var next = trial.upload(partSize: 5000)
        #expect(trial.runToEnd(&next) == .idle)
        #expect(receiver.whole == ["car7_" + name: bytes] && receiver.sentBytes == bytes.count)
    }

    @Test func `an answer that was lost is asked for, not sent again`() throws {
        let name = try trial.record(50)
        var upload = trial.upload()
        _ = trial.run(&upload)
        try FileManager.default.removeItem(atPath: trial.list)
        var next = trial.upload()
        #expect(trial.run(&next) == .idle)
        #expect(receiver.sentBytes == (try folder.bytes(name)).count)
        #expect(folder.text(".taffrail/recorder.uploaded") == name + "\n")
    }

    @Test func `a receiver that has less than it had gets the rest again`() throws {
        let name = try trial.record(500)
        var upload = trial.upload(partSize: 5000)
        trial.advance(&upload) { receiver.sentBytes >= 15_000 }
        receiver.cut(to: 7000)
        #expect(trial.runToEnd(&upload) == .idle)
        #expect(receiver.whole == ["car7_" + name: try folder.bytes(name)])
    }

    @Test(arguments: [408, 429, 500, 503, 507, 401, 403])
    func `what a receiver does not accept now is sent later`(status: Int) throws {
        let name = try trial.record(50)
        let answers = Locked(2)
        let server = receiver.server
        let usual = receiver
        server.reply { request in
            let isFaulty = answers.withLock { left in
                left -= 1
                return left >= 0
            }
            return isFaulty ? .answer(status, headers: ["Retry-After": "30"]) : usual.reply(to: request)
        }
        var upload = trial.upload()
        for _ in 0..<2 {
            guard case .wait(let time) = trial.run(&upload) else { return _ = Issue.record("it does not wait") }
            if ![401, 403].contains(status) { #expect(time > .seconds(20)) }
            #expect(upload.status.problem?.contains("returned \(status)") == true && upload.status.waiting == 1)
        }
        #expect(trial.run(&upload) == .idle)
        #expect(receiver.whole == ["car7_" + name: try folder.bytes(name)])
        #expect(upload.status == RecordingUpload.Status())
    }

    @Test func `a page of a network to sign in to confirms nothing`() throws {
        let name = try trial.record(50)
        let usual = receiver
        receiver.server.reply { _ in .answer(200, headers: ["Content-Type": "text/html"], body: "<html>") }
        var upload = trial.upload()
        guard case .wait = trial.run(&upload) else { return _ = Issue.record("it does not wait") }
        receiver.server.reply { usual.reply(to: $0) }
        #expect(trial.run(&upload) == .idle)
        #expect(receiver.whole == ["car7_" + name: try folder.bytes(name)])
    }

    @Test func `after a reopen in the same process recordings are still uploaded`() async throws {
        var options = GeoRecorderOptions(RecordingOptions(directory: folder.path))
        options.upload = trial.options()
        let sink = GeoRecorderSink(options, name: "recorder", feed: LocationFeed())
        sink.attach(.none)
        for number in 1...2 {
            _ = try GeoRecorderSinkTests.write([GeoRecorderSinkTests.location(number * 3600)], to: sink)
            try sink.reopen()
            #expect(await eventually { receiver.whole.count == number })
        }
        try sink.close()
    }

    @Test func `a recording that is refused does not keep the others`() throws {
        let first = try trial.record(50)
        let second = try trial.record(50, hour: 1)
        let usual = receiver
        receiver.server.reply { request in
            request.line.contains(first) && request.line.hasPrefix("PUT") ? .answer(409) : usual.reply(to: request)
        }
        var upload = trial.upload()
        #expect(trial.run(&upload) == .idle)
        #expect(receiver.whole.keys.sorted() == ["car7_" + second] && upload.status.problem == nil)
        #expect(receiver.server.requests.count { $0.line.contains(first) } == 2)
    }

    @Test func `a receiver that has all bytes, and always asks for more, is given up`() throws {
        let size = try folder.bytes(try trial.record(50)).count
        receiver.server.reply { request in
            let headers = ["Upload-Offset": "\(size)", "Upload-Complete": "?0"]
            return .answer(request.line.hasPrefix("HEAD") ? 200 : 202, headers: headers)
        }
        var upload = trial.upload()
        #expect(trial.run(&upload) == .idle)
        #expect(upload.status.problem?.contains("returned 202") == true)
        let parts = receiver.server.requests.filter { $0.line.hasPrefix("PUT") }
        #expect(parts.count == 4 && parts.allSatisfy { $0.headers["content-range"] == "bytes */\(size)" })
    }

    @Test func `parts become smaller where they are too large`() throws {
        let name = try trial.record(3000)
        let usual = receiver
        receiver.server.reply { $0.body.count > 70_000 ? .answer(413) : usual.reply(to: $0) }
        var upload = trial.upload()
        #expect(trial.run(&upload) == .idle)
        #expect(receiver.whole == ["car7_" + name: try folder.bytes(name)])
    }

    @Test func `a rate is kept between the parts`() throws {
        try trial.record(500)
        var upload = trial.upload(partSize: 5000, change: { $0.delivery.rate = .kibibytes(5) })
        guard case .wait(let time) = trial.run(&upload) else { return _ = Issue.record("it does not wait") }
        #expect((Duration.milliseconds(900) ... .seconds(1)).contains(time))
    }

    @Test func `a recording that will be compressed is uploaded after that, or as it is when nothing compresses it`()
        throws
    {
        let name = try trial.record(50)
        var upload = trial.upload(compresses: true)
        #expect(trial.run(&upload) == .idle && receiver.server.requests.isEmpty)
        try RecordingArchive.compress(folder.file(name))
        #expect(trial.run(&upload) == .idle)
        #expect(receiver.whole == ["car7_" + name + ".gz": try folder.bytes(name + ".gz")])
        let later = try trial.record(50, hour: 1)
        let clock = SystemClock.wallNanoseconds() + RecordingUpload.compressionTime.nanoseconds
        var next = trial.upload(compresses: true, now: { clock })
        #expect(trial.run(&next) == .idle)
        #expect(receiver.whole.keys.sorted() == ["car7_" + name + ".gz", "car7_" + later])
    }

    @Test func `an upload that has begun continues after a start with compression`() async throws {
        let name = try trial.record(500)
        let other = try trial.record(50, hour: 1)
        let bytes = try folder.bytes(name)
        var upload = trial.upload(partSize: 5000)
        trial.advance(&upload) { receiver.sentBytes >= 15_000 }
        #expect(receiver.sentBytes == 15_000)
        var uploaded = UploadedRecordings(trial.list)
        try uploaded.insert(other, existing: nil)
        var options = GeoRecorderOptions(RecordingOptions(directory: folder.path))
        options.recording.compressesClosed = true
        options.upload = trial.options()
        // It uploads nothing before it is attached.
        let sink = GeoRecorderSink(options, name: "recorder", feed: LocationFeed())
        _ = try GeoRecorderSinkTests.write([GeoRecorderSinkTests.location(7200)], to: sink)
        // Recordings are compressed oldest first.
        #expect(await eventually { folder.names.contains(other + ".gz") && !folder.names.contains(other) })
        #expect(folder.names.contains(name) && !folder.names.contains(name + ".gz"))
        let clock = SystemClock.wallNanoseconds() + RecordingUpload.compressionTime.nanoseconds
        var next = trial.upload(partSize: 5000, compresses: true, now: { clock })
        #expect(trial.runToEnd(&next) == .idle)
        #expect(receiver.whole == ["car7_" + name: bytes] && receiver.sentBytes == bytes.count)
        try sink.close()
    }

    @Test func `the sink uploads what it ends, and shows what waits`() async throws {
        var options = GeoRecorderOptions(RecordingOptions(directory: folder.path))
        options.recording.splitSize = .kibibytes(64)
        // The second one is sent when the sink is closed.
        options.upload = trial.options { $0.delivery.drain = .minutes(5) }
        let sink = GeoRecorderSink(options, name: "recorder", feed: LocationFeed())
        sink.attach(SinkBook(sink: "recorder", ledgers: [], statusDirectory: folder.path))
        let events = (0..<1000).map { GeoRecorderSinkTests.location($0) }
        let end = try GeoRecorderSinkTests.write(events, to: sink)
        _ = try GeoRecorderSinkTests.write([GeoRecorderSinkTests.location(2000)], to: sink, start: end)
        #expect(await eventually { receiver.whole.count == 1 })
        #expect(folder.text("recorder.status").contains("\"to_upload\":"))
        try sink.close()
        #expect(receiver.whole.count == 2)
        #expect(Set(receiver.whole.values) == Set(try folder.recordings().map { try folder.bytes($0.name) }))
    }

    @Test func `options are an address, or more, without a spool`() throws {
        func decode(_ json: String) throws -> RecordingUploadOptions? {
            try JSONDecoder().decode(GeoRecorderOptions.self, from: Data(json.utf8)).upload
        }
        #expect(
            try decode(#"{"upload": "https://a/recordings"}"#) == RecordingUploadOptions(url: "https://a/recordings"))
        let all = try decode(
            #"{"upload": {"url": "https://a/r", "device": "car-7", "token_file": "/t", "rate": "5KiB/s"}}"#)
        #expect(
            all?.device == "car-7" && all?.delivery.credentials.tokenFile == "/t" && all?.delivery.rate == .kibibytes(5)
        )
        for json in [
            #"{"upload": "ftp://a"}"#, #"{"upload": {"device": "x"}}"#,
            #"{"upload": {"url": "https://a", "device": "a/b"}}"#,
            #"{"upload": {"url": "https://a", "spool": {"size": "1MiB"}}}"#,
        ] {
            #expect(throws: (any Error).self) { try decode(json) }
        }
    }
}
#endif
