import Foundation
import Taffrail
import TaffrailGeoTesting
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeo
@testable import TaffrailLocationManager
@testable import TaffrailRecording

/// Recordings without disk I/O, on files that fail on demand.
@Suite(.mayBlock) struct MockFileManagerTests {
    static func fix(_ index: Int) -> Location { LocationManagerTests.fix(Double(index), at: Double(index)) }

    @Test func `a drive is recorded, listed, checked, copied and deleted in memory`() throws {
        let files = MockFileManager()
        let told = Told()
        let mock = MockLocationManager(queue: told.queue)
        var configuration = GeoLoggerConfiguration()
        configuration.mode = .record
        configuration.directory = files.directory
        let logger = GeoLogger(configuration: configuration, locationManager: mock.manager)
        logger.startUpdatingLocation()
        for index in 0..<100 { mock.send(Self.fix(index)) }
        logger.stopUpdatingLocation()
        let manager = RecordingManager(directory: files.directory)
        let info = try #require(manager.listRecordings().first)
        #expect(info.eventCount == 100 && files.names == [".gitignore", info.name])
        #expect(try manager.verifyRecording(name: info.name).isIntact)
        let json = try JSONSerialization.jsonObject(with: Data(try #require(files.contents(info.name))))
        #expect(((json as? [String: Any])?["events"] as? [Any])?.count == 100)
        #expect(try manager.importRecording(from: manager.exportRecording(name: info.name)).eventCount == 100)
        for recording in manager.listRecordings() { try manager.deleteRecording(name: recording.name) }
        #expect(files.names == [".gitignore"])
    }

    @Test func `the directory is deleted with the value`() {
        var files: MockFileManager? = MockFileManager()
        files?.createFile("a.json", contents: [1])
        let path = files?.directory.path ?? ""
        #expect(FileManager.default.fileExists(atPath: path) && files?.names == ["a.json"])
        files = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a full disk leaves the file complete, and is reported`() throws {
        let files = MockFileManager()
        let session = RecordingSession(files.options)
        let start = LocationManagerTests.start
        try session.take(.location(Self.fix(0)), received: start, uptime: nil)
        try session.commit()
        files.fail(.full)
        var refused = 0
        for index in 1..<2_000 where refused == 0 {
            try session.take(.location(Self.fix(index)), received: start, uptime: nil)
            do throws(RecordingError) { try session.commit() } catch {
                #expect(error.kind == .full)
                refused = index
            }
        }
        #expect(refused > 1)
        let manager = RecordingManager(directory: files.directory)
        #expect(manager.listRecordings().map(\.eventCount) == [refused])
        files.fail(nil)
        try session.take(.location(Self.fix(refused)), received: start, uptime: nil)
        try session.commit()
        try session.finish()
        #expect(manager.listRecordings().map(\.eventCount) == [refused + 1])
    }

    @Test(arguments: MockFileManager.Failure.allCases)
    func `a folder that refuses has no half file in it`(failure: MockFileManager.Failure) throws {
        let files = MockFileManager()
        let session = RecordingSession(files.options)
        files.fail(failure)
        let error = #expect(throws: RecordingError.self) {
            try session.take(.location(Self.fix(0)), received: LocationManagerTests.start, uptime: nil)
        }
        let kinds: [MockFileManager.Failure: RecordingError.Kind] = [
            .denied: .denied, .full: .full, .broken: .system,
        ]
        #expect(error?.kind == kinds[failure] && files.names.isEmpty)
    }

    @Test func `damage is repaired, and the damaged file kept`() throws {
        let files = MockFileManager()
        let session = RecordingSession(files.options)
        for index in 0..<50 {
            try session.take(.location(Self.fix(index)), received: LocationManagerTests.start, uptime: nil)
        }
        try session.commit()
        try session.finish()
        let manager = RecordingManager(directory: files.directory)
        let name = try #require(manager.listRecordings().first?.name)
        var bytes = try #require(files.contents(name))
        bytes.removeLast(bytes.count / 3)
        files.createFile(name, contents: bytes)
        let repair = try manager.repairRecording(name: name)
        #expect(
            repair.events >= 30
                && repair.keptAs.map { files.names.contains(URL(filePath: $0).lastPathComponent) } == true)
        #expect(try manager.verifyRecording(name: name).isIntact)
    }
}
