import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording
@testable import TaffrailText

/// Which recordings are deleted on a device whose clock begins in 1970.
@Suite(.mayBlock) struct RecordingRetentionTests {
    /// 2026-01-05T14:30:00Z.
    private static let start = SampleDrive.start
    private static let unset = "geo_log_1970-01-01_00-00-30.json"
    private static let other = "geo_log_2026-01-05_14-30-00.json"

    /// Writes a recording that was last changed at a time.
    private static func write(_ name: String, modified: Timestamp, to folder: TemporaryDirectory) throws {
        try folder.write("{}", to: name)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: modified.secondsSince1970)],
            ofItemAtPath: folder.file(name))
    }

    /// Applies retention, and returns the names of the deleted files.
    private static func apply(
        count: Int? = nil, total: ByteSize? = nil, age: Duration? = nil, in folder: TemporaryDirectory, now: Timestamp
    ) -> [String] {
        var options = RecordingOptions(directory: folder.path)
        options.keepCount = count
        options.keepTotal = total
        options.keepAge = age
        return RecordingRetention.apply(options, current: nil, now: now)
    }

    @Test func `the start of a recording is read from its name`() {
        #expect(RecordingName.start(of: Self.other) == Self.start)
        #expect(RecordingName.start(of: "geo_log_2026-01-05_14-30-00_2.json.gz") == Self.start)
        #expect(RecordingName.start(of: "geo_log_2026-02-30_14-30-00.json") == nil)
    }

    @Test(arguments: [1970, 1980, 2000])
    func `a recording during which the clock was set is as new as its last change`(year: Int) throws {
        let folder = TemporaryDirectory()
        let name = "geo_log_\(year)-01-01_00-00-30.json"
        try Self.write(name, modified: Self.start + .hours(1), to: folder)
        try Self.write(Self.other, modified: Self.start + .minutes(10), to: folder)
        try Self.write("geo_log_2026-01-05_16-00-00.json", modified: Self.start + .hours(2), to: folder)
        #expect(Self.apply(count: 2, in: folder, now: Self.start + .hours(3)) == [Self.other])
        #expect(Self.apply(count: 1, in: folder, now: Self.start + .hours(3)) == [name])
    }

    @Test func `a recording that another recorder is writing is not deleted until it has ended`() throws {
        let folder = TemporaryDirectory()
        let other = RecordingSessionTests.session(folder)
        try other.take(RecordingSessionTests.location(0), received: Self.start, uptime: nil)
        try other.commit()
        let own = RecordingSessionTests.session(folder) { $0.keepCount = 1 }
        try own.take(RecordingSessionTests.location(1), received: Self.start + .minutes(1), uptime: nil)
        try own.commit()
        try other.take(RecordingSessionTests.location(2), received: Self.start + .minutes(2), uptime: nil)
        try other.commit()
        #expect(folder.recordings().map(\.eventCount) == [2, 1] && other.lostEvents == 0)
        try other.finish()
        try own.finish()
        #expect(folder.recordings().map(\.eventCount) == [1])
    }

    @Test func `a recording that another recorder is writing uses space, for which ended ones are deleted`() throws {
        let folder = TemporaryDirectory()
        let other = RecordingSessionTests.session(folder)
        try other.take(RecordingSessionTests.location(0), received: Self.start, uptime: nil)
        try other.commit()
        let name = "geo_log_2026-01-05_14-31-00.json"
        try Self.write(name, modified: Self.start + .minutes(1), to: folder)
        #expect(Self.apply(total: .kibibytes(64), in: folder, now: Self.start + .minutes(2)) == [name])
        try other.finish()
        #expect(folder.recordings().map(\.eventCount) == [1])
    }

    @Test func `no newer recording is deleted in place of one that is locked for a moment`() throws {
        let folder = TemporaryDirectory()
        let names = (0..<3).map { "geo_log_2026-01-05_1\($0)-30-00.json" }
        for name in names { try Self.write(name, modified: Self.start, to: folder) }
        let oldest = try FileDescriptor(reading: folder.file(names[0]))
        let isLocked = oldest.lock()
        #expect(isLocked)
        #expect(Self.apply(count: 2, in: folder, now: Self.start) == [])
        #expect(Self.apply(total: ByteSize(bytes: 5), in: folder, now: Self.start) == [])
        #expect(Self.apply(count: 1, in: folder, now: Self.start) == [names[1]])
        oldest.unlock()
        #expect(Self.apply(count: 1, in: folder, now: Self.start) == [names[0]])
    }

    @Test func `a recording that ended before the clock was set is the newest, and ages once it is set`() throws {
        let folder = TemporaryDirectory()
        try Self.write(Self.unset, modified: Timestamp(secondsSince1970: 90), to: folder)
        try Self.write(Self.other, modified: Self.start, to: folder)
        // Its end, before the clock is set.
        #expect(Self.apply(count: 1, in: folder, now: Timestamp(secondsSince1970: 90)) == [Self.other])
        // The clock is set.
        let begin = Self.start + .hours(24)
        #expect(Self.apply(age: .hours(1), in: folder, now: begin) == [])
        #expect(Self.apply(age: .hours(1), in: folder, now: begin + .minutes(50)) == [])
        try Self.write("geo_log_2026-01-06_14-30-00.json", modified: begin + .hours(1), to: folder)
        #expect(Self.apply(age: .hours(1), in: folder, now: begin + .minutes(90)) == [Self.unset])
    }

    @Test func `a recording that was changed before the clock was set is as old as its name`() throws {
        let folder = TemporaryDirectory()
        // As by the repair of one after a power loss.
        try Self.write(Self.other, modified: Timestamp(secondsSince1970: 30), to: folder)
        #expect(Self.apply(age: .hours(1), in: folder, now: Self.start + .minutes(50)) == [])
        #expect(Self.apply(age: .hours(1), in: folder, now: Self.start + .hours(2)) == [Self.other])
    }
}
