import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct FileRotationTests {
    let directory = TemporaryDirectory()
    let clock = ManualClock()

    func sink(_ rotate: RotationOptions, zone: ZoneOffset = .utc) throws -> FileSink {
        let clock = clock
        return try FileSink(
            FileOptions(path: directory.file("app.log"), rotate: rotate), zone: zone, clock: { clock.nanoseconds })
    }

    /// All lines of all files, the oldest first.
    var allLines: [String] {
        let names = directory.names
        return (names.filter { $0 != "app.log" } + ["app.log"]).flatMap { directory.lines($0) }
    }

    @Test func `records go to the live file, one line each`() throws {
        let sink = try sink(RotationOptions())
        try sink.write(["one", "two\nlines", ""])
        #expect(
            directory.text("app.log") == """
                [2026-01-05 14:30:00.123] [INFO] one
                [2026-01-05 14:30:00.123] [INFO] two\\nlines
                [2026-01-05 14:30:00.123] [INFO] \n
                """)
        try sink.close()
        let again = try self.sink(RotationOptions())
        try again.write(["three"])
        #expect(directory.lines("app.log").count == 4)
        #expect(sink.name == "file:app.log")
    }

    @Test func `no file is larger than the size, and they are filled evenly`() throws {
        let sink = try sink(RotationOptions(size: .bytes(1050), keep: nil))
        // 33 bytes before the message and the newline: lines of 50 bytes, 21 to a file.
        let messages = (0..<1000).map { String(1_000_000 + $0) + "_________" }
        for start in stride(from: 0, to: 1000, by: 137) {
            try sink.write(Array(messages[start..<min(1000, start + 137)]))
        }
        #expect(allLines.map { String($0.dropFirst(33)) } == messages)
        let names = directory.names.filter { $0 != "app.log" }
        #expect(names.count == 47)
        for name in names { #expect(directory.size(name) == 1050) }
        #expect(names.first == "app-20260105T143000.000Z-0001.log")
        #expect(names.last == "app-20260105T143000.000Z-0047.log")
    }

    @Test func `a line longer than the size gets its own file`() throws {
        let sink = try sink(RotationOptions(size: .kibibytes(1), keep: nil))
        let long = String(repeating: "x", count: 3000)
        try sink.write(["a", long, "b", long])
        let sizes = (directory.names.filter { $0 != "app.log" } + ["app.log"]).map { directory.size($0) }
        #expect(sizes == [35, 3034, 35, 3034])
    }

    @Test func `a batch of many blocks is written whole`() throws {
        let sink = try sink(RotationOptions(size: nil))
        let messages = (0..<9000).map { "record \($0) " + String(repeating: "é", count: $0 % 100) }
        try sink.write(messages)
        #expect(allLines.map { String($0.dropFirst(33)) } == messages)
    }

    @Test func `a file is rotated when its minute, hour, day or week is over`() throws {
        for (every, seconds) in [
            (RotationOptions.Period.minute, Int64(60)), (.hour, 3600), (.day, 86_400), (.week, 604_800),
        ] {
            let directory = TemporaryDirectory()
            let clock = ManualClock()
            let sink = try FileSink(
                FileOptions(path: directory.file("app.log"), rotate: RotationOptions(every: every)), zone: .utc,
                clock: { clock.nanoseconds })
            let end = RotationSchedule(every: every, zone: .utc).end(of: clock.nanoseconds)
            #expect(end > clock.nanoseconds && end <= clock.nanoseconds + seconds * 1_000_000_000)
            try sink.write(["a"], at: clock.nanoseconds)
            clock.set(seconds: end / 1_000_000_000 - 1)
            try sink.write(["b"], at: clock.nanoseconds)
            clock.advance(by: .seconds(1))
            try sink.write(["late", "c"], at: clock.nanoseconds - 1)
            #expect(directory.names == ["app.log"])
            try sink.write(["d"], at: clock.nanoseconds)
            #expect(directory.names.count == 2)
            #expect(directory.lines("app.log").count == 1)
            clock.advance(by: .seconds(seconds))
            try sink.write(["e"], at: clock.nanoseconds)
            #expect(directory.names.count == 3)
        }
    }

    @Test func `a batch over midnight is parted there`() throws {
        let sink = try sink(RotationOptions(every: .day))
        clock.set(seconds: 1_767_657_600 - 10)
        try sink.write(["first"], at: clock.nanoseconds)
        clock.set(seconds: 1_767_657_601)
        var buffer = RecordBuffer()
        for (offset, message) in [(-2, "before"), (-1, "still before"), (0, "after"), (1, "later")] {
            buffer.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: (1_767_657_600 + Int64(offset)) * 1_000_000_000), level: .info,
                    message: message))
        }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        #expect(directory.lines("app.log").map { $0.dropFirst(33) } == ["after", "later"])
        #expect(directory.lines("app-20260106T000001.000Z-0001.log").count == 3)
    }

    @Test func `the period of a file is known to the next process`() throws {
        let first = try sink(RotationOptions(every: .hour))
        try first.write(["a"], at: clock.nanoseconds)
        try first.close()
        clock.advance(by: .seconds(3600))
        let second = try sink(RotationOptions(every: .hour))
        try second.write(["b"], at: clock.nanoseconds)
        #expect(directory.names.count == 2)
    }

    @Test func `a clock set far back rotates once and not again`() throws {
        let sink = try sink(RotationOptions(every: .hour, keep: nil))
        try sink.write(["a"], at: clock.nanoseconds)
        clock.advance(by: .seconds(-30 * 86_400))
        try sink.write(["b"], at: clock.nanoseconds)
        clock.advance(by: .seconds(1))
        try sink.write(["c"], at: clock.nanoseconds)
        #expect(directory.names.count == 2)
        clock.advance(by: .seconds(3600))
        try sink.write(["d"], at: clock.nanoseconds)
        #expect(allLines.map { $0.dropFirst(33) } == ["a", "b", "c", "d"])
        #expect(directory.names.count == 3)
    }

    @Test func `days and weeks end at local midnight, whatever the zone does there`() {
        // Central Europe: summer time from 2026-03-29T01:00Z to 2026-10-25T01:00Z.
        let europe = ZoneOffset { (1_774_746_000..<1_792_890_000).contains($0) ? 7200 : 3600 }
        let day = RotationSchedule(every: .day, zone: europe)
        func end(_ schedule: RotationSchedule, _ seconds: Int64) -> Int64 {
            schedule.end(of: seconds * 1_000_000_000) / 1_000_000_000
        }
        // The day of 23 hours and the day of 25 hours.
        #expect(end(day, 1_774_738_800) == 1_774_738_800 + 23 * 3600)
        #expect(end(day, 1_792_879_200) == 1_792_879_200 + 25 * 3600)
        // A zone whose midnight of 2018-11-04 does not exist: 00:00 is 01:00 (03:00Z).
        let brazil = ZoneOffset { $0 < 1_541_300_400 ? -10_800 : -7200 }
        #expect(end(RotationSchedule(every: .day, zone: brazil), 1_541_300_400 - 3600) == 1_541_300_400)
        // Monday 2026-01-12, 00:00 local.
        #expect(end(RotationSchedule(every: .week, zone: europe), 1_767_623_400) == 1_768_172_400)
        // Half an hour's offset: hours are local hours.
        let india = ZoneOffset { _ in 19_800 }
        #expect(end(RotationSchedule(every: .hour, zone: india), 1_767_623_400) == 1_767_623_400 + 3600)
    }

    @Test(arguments: [RotationOptions.Period.minute, .hour, .day, .week])
    func `times at the edges of the range trap nothing`(_ every: RotationOptions.Period) {
        let schedule = RotationSchedule(every: every, zone: .utc)
        for started in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
            let end = schedule.end(of: started)
            #expect(end >= started)
            for now in [Int64.min, -1, 0, .max] { _ = schedule.isDue(started: started, end: end, now: now) }
        }
        #expect(schedule.isDue(started: .min, end: schedule.end(of: .min), now: 0))
        #expect(!schedule.isDue(started: .max - 1, end: .max, now: .max - 1))
    }

    @Test func `only the given number of rotated files is kept, and nothing foreign is deleted`() throws {
        let foreign = [
            "app-20200101T000000.000Z-0001.log.bak", "app.log.1", "app-notes.log",
            "other-20200101T000000.000Z-0001.log", "app-20200101T000000.000Z-0001.txt",
        ]
        for name in foreign { try directory.append("mine\n", to: name) }
        mkdir(directory.file("app-20200101T000000.000Z-0002.log"), 0o700)
        symlink("/etc/passwd", directory.file("app-20200101T000000.000Z-0003.log"))
        try directory.append("old\n", to: "app-20200101T000000.000Z-0004.log")
        try directory.append("old\n", to: "app-20200101T000000.000Z-0005.log.gz")
        let sink = try sink(RotationOptions(size: .kibibytes(1), keep: 3))
        try sink.open()
        #expect(directory.names.contains("app-20200101T000000.000Z-0004.log"))
        try sink.write((0..<200).map { "message number \($0)" })
        let names = directory.names
        for name in foreign + ["app-20200101T000000.000Z-0002.log", "app-20200101T000000.000Z-0003.log"] {
            #expect(names.contains(name))
        }
        #expect(!names.contains("app-20200101T000000.000Z-0004.log"))
        #expect(!names.contains("app-20200101T000000.000Z-0005.log.gz"))
        #expect(names.filter { $0.hasPrefix("app-2026") }.count == 3)
    }

    @Test func `superfluous files are deleted at the start`() throws {
        for number in 1...9 { try directory.append("old\n", to: "app-20200101T000000.000Z-000\(number).log") }
        try sink(RotationOptions(keep: 2)).open()
        #expect(
            directory.names == [
                "app-20200101T000000.000Z-0008.log", "app-20200101T000000.000Z-0009.log", "app.log",
            ])
        let none = try sink(RotationOptions(size: .kibibytes(1), keep: 0))
        try none.write((0..<100).map { "message number \($0)" })
        #expect(directory.names == ["app.log"])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file needs root"))
    func `a rotation on demand that fails has the system's reason, which is not reported elsewhere`() throws {
        let path = directory.file("app.log")
        try directory.append("a\n", to: "app.log")
        try #require(mount(path, path, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(path, CInt(MNT_DETACH)) }
        let notices = Locked<[String]>([])
        let sink = try FileSink(
            FileOptions(path: path), clock: { ManualClock().nanoseconds },
            notice: { line in notices.withLock { $0.append(line) } })
        let error = #expect(throws: SinkError.self) { try sink.rotate() }
        #expect(error?.reason.hasSuffix(": \(Errno.text(EBUSY))") == true)
        #expect(notices.withLock { $0 } == [])
    }

    @Test func `files get the requested mode, directories 0750`() throws {
        let nested = directory.file("a/b")
        let sink = try FileSink(FileOptions(path: nested + "/app.log", mode: 0o604))
        try sink.write(["a"])
        #expect(try FileStatus.of(nested + "/app.log")?.mode == S_IFREG | 0o604)
        #expect(try FileStatus.of(nested)?.mode == S_IFDIR | 0o750)
        #expect(try FileStatus.of(nested + "/.taffrail")?.mode == S_IFDIR | 0o700)
        #expect(try FileStatus.of(nested + "/.taffrail/lock")?.mode == S_IFREG | 0o600)
    }

    @Test func `options out of range are refused by name`() {
        func refused(_ change: (inout FileOptions) -> Void) -> String {
            var options = FileOptions(path: "/tmp/x.log")
            change(&options)
            do throws(OptionError) { try options.validate() } catch { return error.option }
            return ""
        }
        #expect(refused { $0.rotate.size = .bytes(12) } == "rotate.size")
        #expect(refused { $0.rotate.keep = -1 } == "rotate.keep")
        #expect(refused { $0.mode = 0o1777 } == "mode")
        #expect(refused { $0.path = "/tmp/" } == "path")
        #expect(refused { _ in } == "")
    }
}
