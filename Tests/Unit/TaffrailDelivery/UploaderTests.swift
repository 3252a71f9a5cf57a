import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite(.mayBlock) struct UploaderTests {
    @Test func `a thread sends records as they arrive, and ends on request`() async throws {
        let fixture = try SpoolFixture()
        fixture.spool.close()
        let destination = FakeDestination()
        let upload = SpooledUpload(
            SpoolOptions(directory: fixture.folder.file("live")), UploadOptions(delay: .zero), to: destination)
        upload.attach(fixture.book)
        for number in 1...50 {
            var buffer = RecordBuffer(run: SpoolFixture.run)
            buffer.append(SpoolFixture.record(number))
            try buffer.withBatch { batch throws(SinkError) in try upload.append(batch) }
            if number % 10 == 0 { #expect(await eventually { destination.accepted.count == number }) }
        }
        try upload.close(drain: .zero)
        #expect(destination.accepted == Array(1...50))
        let status = fixture.folder.text(".taffrail/http.status")
        #expect(status.contains("\"spool\":") && status.contains("\"sent\":"), "\(status)")
    }

    @Test func `what is left is sent before the end, if the destination works`() throws {
        let folder = TemporaryDirectory()
        let destination = FakeDestination()
        let upload = SpooledUpload(
            SpoolOptions(directory: folder.file("live")), UploadOptions(delay: .hours(1)), to: destination)
        var buffer = RecordBuffer(run: SpoolFixture.run)
        for number in 1...5 { buffer.append(SpoolFixture.record(number)) }
        try buffer.withBatch { batch throws(SinkError) in try upload.append(batch) }
        try upload.close(drain: .seconds(30))
        #expect(destination.accepted == [1, 2, 3, 4, 5])
    }

    @Test func `a thread that waits for a retry ends at once, and what it has not sent stays`() throws {
        let folder = TemporaryDirectory()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.later(notBefore: .max), reason: "away") }
        let options = SpoolOptions(directory: folder.file("live"))
        let upload = SpooledUpload(options, UploadOptions(delay: .zero), to: destination)
        var buffer = RecordBuffer(run: SpoolFixture.run)
        for number in 1...5 { buffer.append(SpoolFixture.record(number)) }
        try buffer.withBatch { batch throws(SinkError) in try upload.append(batch) }
        try upload.close(drain: .seconds(30))
        var waiting: [Int] = []
        try SpoolInspection(options.directory).forEach { waiting.append(Int($0.sequence)) }
        #expect(waiting == [1, 2, 3, 4, 5])
        // Another one can have the spool.
        let next = Spool(options)
        try next.open()
        next.close()
    }

    @Test func `nothing is sent before a spool is attached or written to`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...5)
        fixture.spool.close()
        let destination = FakeDestination()
        let upload = SpooledUpload(fixture.options, UploadOptions(delay: .zero), to: destination)
        try upload.open()
        #expect(upload.position(in: SpoolFixture.run) != nil)
        try upload.close(drain: .seconds(30))
        #expect(destination.sent.isEmpty)
        try fixture.reopen()
        #expect(try fixture.waiting() == [1, 2, 3, 4, 5])
    }

    @Test func `an idle thread finds dead letters that are to be sent again`() async throws {
        let fixture = try SpoolFixture()
        fixture.spool.close()
        let destination = FakeDestination()
        destination.answer { Attempt($0.contains(2) ? .refused : .accepted(refused: 0), reason: "400") }
        let upload = SpooledUpload(fixture.options, UploadOptions(delay: .zero), to: destination)
        // Without a status that is still to be written, for which it would wake.
        var buffer = RecordBuffer(run: SpoolFixture.run)
        for number in 1...3 { buffer.append(SpoolFixture.record(number)) }
        try buffer.withBatch { batch throws(SinkError) in try upload.append(batch) }
        #expect(await eventually { destination.accepted == [1, 3] && upload.spool.pendingBytes == 0 })
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        #expect(try DeadLetters.retry(in: fixture.directory) == 1)
        #expect(await eventually { destination.accepted == [1, 3, 2] })
        try upload.close(drain: .zero)
    }
}
