import Glibc
import TaffrailReading
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct RetentionTests {
    let directory = TemporaryDirectory()
    let clock = ManualClock()

    func sink(_ rotate: RotationOptions, currentLink: Bool = false) throws -> FileSink {
        let clock = clock
        return try FileSink(
            FileOptions(path: directory.file("app.log"), rotate: rotate, time: .utc, currentLink: currentLink),
            clock: { clock.nanoseconds })
    }

    var rotated: [String] { directory.names.filter { $0.hasPrefix("app-") } }

    /// The files to delete, one by one: a file stays only while every limit permits it and all newer ones.
    func model(_ options: RotationOptions, _ files: [RotatedFile], live: Int64, now: Int64, available: Int64) -> Int {
        var kept: [RotatedFile] = []
        var total = max(live, Int64(options.size?.bytes ?? 0))
        for file in files.reversed() {
            if let keep = options.keep, kept.count + 1 > keep { break }
            if let age = options.age, (now / 1_000_000 - file.name.milliseconds) * 1_000_000 > age.nanoseconds { break }
            if let limit = options.total, total + file.size > limit.bytes { break }
            total += file.size
            kept.append(file)
        }
        var deleted = files.count - kept.count
        if let free = options.free {
            var space = available
            var count = 0
            while count < files.count && space < free.bytes {
                space += files[count].size
                count += 1
            }
            deleted = max(deleted, count)
        }
        return deleted
    }

    @Test func `retention agrees with its model in 20,000 random situations`() {
        var random = SeededGenerator(seed: 20_260_105)
        func maybe<T>(_ value: @autoclosure () -> T) -> T? { random.next() % 2 == 0 ? value() : nil }
        for _ in 0..<20_000 {
            func upTo(_ limit: UInt64) -> Int64 { Int64(random.next() % limit) }
            let options = RotationOptions(
                size: maybe(.bytes(Int(upTo(5000)))), keep: maybe(Int(upTo(12))),
                age: maybe(.milliseconds(upTo(20_000))),
                total: maybe(.bytes(Int(upTo(40_000)))), free: maybe(.bytes(Int(upTo(40_000)))))
            var files: [RotatedFile] = []
            var last: RotatedName?
            for _ in 0..<upTo(15) {
                // Clocks go back, too.
                let name = RotatedName.next(at: 1_000_000 + upTo(20_000), after: last)
                files.append(RotatedFile(name: name, size: upTo(6000)))
                last = name
            }
            let (live, now, available) = (upTo(6000), (1_000_000 + upTo(30_000)) * 1_000_000, upTo(60_000))
            let count = Retention(options: options).surplus(files, live: live, now: now, available: available)
            let expected = model(options, files, live: live, now: now, available: available)
            #expect(count == expected, "\(options) \(files) \(live) \(now) \(available)")
            if count != expected { break }
        }
    }

    @Test func `the files on the disk agree with the model over 300 random rotations`() throws {
        var random = SeededGenerator(seed: 7)
        let options = RotationOptions(
            size: .kibibytes(4), keep: 6, age: .seconds(400), total: .kibibytes(20))
        let sink = try sink(options)
        try directory.append("foreign", to: "app-20260105T143000.123Z-0001.log.bak")
        for step in 0..<300 {
            clock.advance(by: .seconds(Int64(random.next() % 200) - 40))
            try sink.write((0..<(random.next() % 40)).map { "step \(step) line \($0)" } + ["last"])
            if random.next() % 4 == 0 { try sink.rotate() }
            let log = try #require(LogPath(ofLog: directory.file("app.log")))
            let files = try log.rotatedFiles()
            #expect(files.count <= 6)
            #expect(files.reduce(4096) { $0 + $1.size } <= 20 << 10)
        }
        #expect(directory.names.contains("app-20260105T143000.123Z-0001.log.bak"))
    }

    @Test func `files go when they are too old, also without a rotation`() throws {
        let sink = try sink(RotationOptions(keep: nil, age: .seconds(3600)))
        for _ in 0..<3 {
            try sink.write(["a"])
            try sink.rotate()
            clock.advance(by: .seconds(1200))
        }
        #expect(rotated.count == 3)
        clock.advance(by: .seconds(60))
        try sink.write(["b"])
        #expect(rotated.count == 2)
        clock.advance(by: .seconds(3600))
        try sink.write(["c"])
        #expect(rotated == [])
    }

    @Test(arguments: [0, 1, 7])
    func `after the clock was ahead for some rotations, files go by their real age again`(_ ahead: Int) throws {
        let sink = try sink(RotationOptions(keep: nil, age: .seconds(3600)))
        func rotate() throws {
            try sink.write(["a"])
            try sink.rotate()
            // The kernel's clock is the program's.
            var time = timespec()
            time.tv_sec = Int(clock.nanoseconds / 1_000_000_000)
            utimensat(AT_FDCWD, directory.file(try #require(rotated.last)), [time, time], 0)
            clock.advance(by: .seconds(600))
        }
        let start = clock.nanoseconds / 1_000_000_000
        clock.set(seconds: 4_070_908_800)
        for _ in 0..<ahead { try rotate() }
        clock.set(seconds: start)
        for number in 1...30 {
            try rotate()
            try sink.write(["b"])
            // None too early: those of the last hour stay.
            #expect(rotated.count >= min(number, 6), "\(number): \(rotated)")
            if number > 8 { #expect(rotated.count <= 7, "\(number): \(rotated)") }
        }
    }

    @Test func `all files together stay below the total, the growing one included`() throws {
        let sink = try sink(RotationOptions(size: .kibibytes(4), keep: nil, total: .kibibytes(18)))
        for batch in 0..<40 { try sink.write((0..<30).map { "batch \(batch) line \($0)" }) }
        #expect(rotated.count == 3)
    }

    @Test func `old files go while the disk has less than is to stay free`() throws {
        let plenty = try sink(RotationOptions(size: .kibibytes(1), keep: nil, free: .mebibytes(1)))
        try plenty.write((0..<100).map { "line \($0)" })
        #expect(rotated.count > 2)
        let none = try sink(RotationOptions(size: .kibibytes(1), keep: nil, free: .gibibytes(1 << 20)))
        try none.write((0..<100).map { "line \($0)" })
        #expect(rotated == [])
    }

    @Test func `a file that cannot be deleted is in the ledger once`() throws {
        let log = try #require(LogPath(ofLog: directory.file("app.log")))
        try log.createState()
        let stuck = RotatedName.next(at: 1_767_623_400_000, after: nil)
        let later = RotatedName.next(at: 1_767_623_500_000, after: stuck)
        // A directory cannot be deleted like a file, even by root.
        #expect(mkdir(directory.file(stuck.text(in: log)), 0o700) == 0)
        var retention = Retention(options: RotationOptions(keep: 0))
        func apply(_ names: [RotatedName]) -> SystemError? {
            var files = names.map { RotatedFile(name: $0, size: 1) }
            return retention.apply(to: &files, in: log, live: 0, now: 1_767_623_600_000_000_000)
        }
        func noted() throws -> [String] {
            try Ledger.read(directory: directory.path).removals.map(\.file)
        }
        for _ in 0..<3 {
            let failure = apply([stuck])
            #expect(failure != nil)
        }
        #expect(try noted() == [stuck.text(in: log)])
        // Other files are recorded.
        try directory.append("line\n", to: later.text(in: log))
        let failure = apply([stuck.compressed(.gzip), later])
        #expect(failure == nil)
        #expect(try noted() == [stuck, later].map { $0.text(in: log) })
        #expect(!directory.names.contains(later.text(in: log)))
    }

    @Test func `a run may start with a new file`() throws {
        let options = RotationOptions(keep: nil, atStart: true)
        let first = try sink(options)
        try first.write(["a"])
        try first.write(["b"])
        try first.reopen()
        try first.write(["c"])
        #expect(rotated == [])
        try sink(options).write(["d"])
        #expect(rotated.count == 1)
        #expect(directory.lines("app.log").count == 1)
        try sink(options).clear()
        #expect(rotated.count == 1)
    }

    @Test func `a rotation on demand is followed by sinks that have the file open`() throws {
        let writer = try sink(RotationOptions(keep: nil))
        try writer.write(["a"])
        try sink(RotationOptions(keep: nil)).rotate()
        try writer.rotate()
        try writer.write(["b"])
        #expect(rotated.count == 1)
        #expect(directory.lines("app.log").map { $0.dropFirst(33) } == ["b"])
    }

    @Test(.enabled(if: access("/dev/shm", W_OK) == 0, "a file of the largest size needs a file system in memory"))
    func `files whose sizes exceed the largest number are deleted by their total`() throws {
        let directory = TemporaryDirectory(isInMemory: true)
        for name in ["app-20260105T143000.123Z-0001.log", "app-20260105T143000.123Z-0001.log.gz"] {
            try directory.append("x", to: name)
            #expect(truncate(directory.file(name), .max) == 0)
        }
        let log = try #require(LogPath(ofLog: directory.file("app.log")))
        #expect(try log.rotatedFiles().map(\.size) == [.max])
        let sink = try FileSink(FileOptions(path: log.live, rotate: RotationOptions(total: .gibibytes(1))))
        try sink.write(["a"])
        #expect(directory.names == ["app.log"])
    }

    @Test func `limits count files of the largest size`() {
        let files = (1...2).map { RotatedFile(name: RotatedName(milliseconds: 1, number: $0), size: .max) }
        func surplus(_ options: RotationOptions, live: Int64) -> Int {
            Retention(options: options).surplus(files, live: live, now: 0, available: 1 << 20)
        }
        #expect(surplus(RotationOptions(keep: nil, total: .gibibytes(1)), live: .max) == 2)
        #expect(surplus(RotationOptions(keep: nil, free: .gibibytes(1)), live: 0) == 1)
    }

    @Test func `a link refers to the live file if requested`() throws {
        try sink(RotationOptions(), currentLink: true).write(["a"])
        #expect(FileName.target(ofLink: directory.file("app.current")) == "app.log")
        unlink(directory.file("app.current"))
        symlink("elsewhere", directory.file("app.current"))
        try sink(RotationOptions(), currentLink: true).write(["b"])
        #expect(directory.lines("app.current").count == 2)
        unlink(directory.file("app.current"))
        try directory.append("mine", to: "app.current")
        try sink(RotationOptions(), currentLink: true).write(["c"])
        #expect(directory.text("app.current") == "mine")
    }

    @Test func `limits out of range are refused by name`() {
        func refused(_ rotate: RotationOptions) -> String {
            do throws(OptionError) { try rotate.validate() } catch { return error.description }
            return ""
        }
        #expect(refused(RotationOptions(age: .zero)).hasPrefix("rotate.age: must be from 1s"))
        #expect(refused(RotationOptions(total: .kibibytes(1))).hasPrefix("rotate.total: must be from 2KiB"))
        #expect(refused(RotationOptions(total: .mebibytes(1))) == "rotate.total: 1MiB is less than rotate.size, 10MiB")
        #expect(refused(RotationOptions(free: .kibibytes(1))).hasPrefix("rotate.free: must be from 1MiB"))
        #expect(refused(RotationOptions(age: .days(1), total: .gibibytes(1), free: .gibibytes(1))) == "")
    }
}
