#if HTTP
import Foundation
import Glibc
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeoRecorder
@testable import TaffrailHTTP
@testable import TaffrailRecording

/// What is reported while recordings wait.
///
/// The sink of each test has a name of its own, by which its lines are found: the recordings of other tests have the
/// same names.
@Suite(.mayBlock) struct RecordingUploadReportTests {
    private let trial: RecordingUploadTrial
    private let captured = CapturedDiagnostics()
    private var folder: TemporaryDirectory { trial.folder }
    private var receiver: RecordingReceiver { trial.receiver }

    init() throws { trial = try RecordingUploadTrial() }

    /// Refuses a recording, and accepts the others.
    private func refuse(_ name: String) {
        let usual = receiver
        receiver.server.reply { request in
            request.line.contains(name) && request.line.hasPrefix("PUT") ? .answer(409) : usual.reply(to: request)
        }
    }

    @Test func `a recording that is refused is not reported as deleted, and one that is deleted is`() throws {
        let names = try (0..<3).map { try trial.record(50, hour: $0) }
        refuse(names[0])
        var upload = trial.upload(name: "refused-upload")
        // All three are found.
        #expect(upload.advance() == .now)
        #expect(upload.status.waiting == 3)
        try FileManager.default.removeItem(atPath: folder.file(names[2]))
        #expect(trial.run(&upload) == .idle)
        #expect(upload.status.waiting == 0)
        let lines = captured.lines(with: "refused-upload: ")
        #expect(lines.first?.hasPrefix("refused-upload: \(names[0]) is not uploaded: ") == true)
        #expect(
            lines.dropFirst() == ["refused-upload: \(folder.file(names[2])) was deleted before it was uploaded"])
    }

    @Test func `a recording that cannot be read is reported with its path and the error, also after a refused one`()
        throws
    {
        let names = try (0..<2).map { try trial.record(50, hour: $0) }
        let path = folder.file(names[1])
        refuse(names[0])
        var upload = trial.upload(name: "unreadable-upload")
        // Both are found.
        #expect(upload.advance() == .now)
        #expect(upload.status.waiting == 2)
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("kept"))
        // A link to itself cannot be opened, not even by root.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        let problem = SystemError("open \(path)", code: ELOOP).description
        for _ in 0..<2 {
            guard case .wait = trial.run(&upload) else { return _ = Issue.record("it does not wait") }
            #expect(upload.status.problem == problem && upload.status.waiting == 1)
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: folder.file("kept"), toPath: path)
        #expect(trial.run(&upload) == .idle)
        #expect(receiver.whole == ["car7_" + names[1]: try folder.bytes(names[1])])
        let lines = captured.lines(with: "unreadable-upload: ")
        #expect(lines.first?.hasPrefix("unreadable-upload: \(names[0]) is not uploaded: ") == true)
        #expect(
            lines.dropFirst() == [
                "unreadable-upload: uploads are paused: \(problem)",
                "unreadable-upload: recordings are uploaded to http://127.0.0.1:\(receiver.server.port) again",
            ])
    }

    @Test func `a link to a recording that is not there keeps no other one waiting`() throws {
        let link = RecordingName.name(Timestamp(secondsSince1970: 0)) + ".gz"
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(link), withDestinationPath: folder.file("elsewhere"))
        let name = try trial.record(50)
        var upload = trial.upload(name: "dangling-upload")
        #expect(trial.run(&upload) == .idle)
        #expect(Array(receiver.whole.keys) == ["car7_" + name])
        #expect(captured.lines(with: "dangling-upload: ").isEmpty)
    }

    @Test func `recordings that wait are not reported as deleted while their directory cannot be read`() throws {
        let name = try trial.record(50)
        let usual = receiver
        receiver.server.reply { _ in .answer(503) }
        var upload = trial.upload(name: "unlisted-upload")
        guard case .wait = trial.run(&upload) else { return _ = Issue.record("it does not wait") }
        receiver.server.reply { usual.reply(to: $0) }
        let (path, away) = (folder.path, folder.path + ".away")
        try FileManager.default.moveItem(atPath: path, toPath: away)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        let next = trial.run(&upload)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: away, toPath: path)
        guard case .wait = next else { return _ = Issue.record("it does not wait") }
        #expect(upload.status.problem == SystemError("list \(path)", code: ELOOP).description)
        #expect(upload.status.waiting == 1)
        #expect(trial.run(&upload) == .idle)
        #expect(receiver.whole == ["car7_" + name: try folder.bytes(name)])
        #expect(captured.lines(with: "unlisted-upload: ").map { $0.contains("deleted") } == [false, false])
    }

    @Test func `uploaded recordings are remembered while their directory cannot be read`() throws {
        let list = TemporaryDirectory()
        let names = try (0..<2).map { try trial.record(50, hour: $0) }
        var uploaded = UploadedRecordings(list.file("uploaded"))
        try uploaded.insert(names[0], existing: names)
        try uploaded.insert(names[1], existing: nil)
        #expect(UploadedRecordings(list.file("uploaded")).names == Set(names))
        // The first one is known to be deleted.
        try uploaded.insert(names[1], existing: [names[1]])
        #expect(UploadedRecordings(list.file("uploaded")).names == [names[1]])
    }

    @Test func `an upload that is completed while the directory cannot be read is not the only one remembered`()
        throws
    {
        let names = try (0..<2).map { try trial.record(50, hour: $0) }
        // The list is elsewhere, as if the directory could be used, but not be listed.
        let elsewhere = TemporaryDirectory()
        var upload = trial.upload(
            name: "remembered-upload", list: elsewhere.file("uploaded"), change: { $0.delivery.timeout = .minutes(5) })
        trial.advance(&upload) { UploadedRecordings(elsewhere.file("uploaded")).names == [names[0]] }
        // The second one is found.
        #expect(upload.advance() == .now)
        let (path, away) = (folder.path, folder.path + ".away")
        try FileManager.default.moveItem(atPath: path, toPath: away)
        // The receiver is asked, and all of it is sent.
        for _ in 0..<2 { #expect(upload.advance() == .now) }
        try FileManager.default.moveItem(atPath: away, toPath: path)
        #expect(UploadedRecordings(elsewhere.file("uploaded")).names == Set(names))
        #expect(captured.lines(with: "remembered-upload: ").allSatisfy { !$0.contains("deleted") })
    }
}
#endif
