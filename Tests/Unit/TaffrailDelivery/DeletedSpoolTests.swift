import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite struct DeletedSpoolTests {
    @Test func `an upload pauses while a spool that was deleted cannot be created again`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2)
        #expect(upload.run() == .idle)
        // The upload has the segment open.
        try fixture.append(3...5)
        try FileManager.default.removeItem(atPath: fixture.directory)
        // A file of its name is in the way, as missing permissions would be.
        try fixture.folder.write("", to: "spool")
        fixture.clock.advance(by: .seconds(1))
        #expect(throws: SinkError.self) { try fixture.append(6...7) }
        #expect(fixture.lost(.deleted) == 3)
        for _ in 0..<3 { #expect(upload.run() == .wait(for: .seconds(1), bytes: .max)) }
        #expect(upload.status.problem == "the spool is not open" && destination.accepted == [1, 2])
        try FileManager.default.removeItem(atPath: fixture.directory)
        // The queue offers them again.
        try fixture.append(6...7)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [1, 2, 6, 7] && fixture.drops.count == 1)
        #expect(upload.status.problem == nil)
    }

    @Test func `the loss of deleted segments is noted once, even if the spool cannot be opened at first`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        try fixture.deleteSegments(after: &upload)
        let aside = fixture.folder.file("aside")
        try FileManager.default.moveItem(atPath: fixture.directory, toPath: aside)
        try fixture.folder.write("", to: "spool")
        fixture.clock.advance(by: .seconds(1))
        #expect(throws: SinkError.self) { try fixture.append(6...7) }
        #expect(fixture.lost(.deleted) == 3)
        try FileManager.default.removeItem(atPath: fixture.directory)
        try FileManager.default.moveItem(atPath: aside, toPath: fixture.directory)
        try fixture.append(6...7)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [1, 2, 6, 7] && fixture.drops.count == 1)
    }
}
