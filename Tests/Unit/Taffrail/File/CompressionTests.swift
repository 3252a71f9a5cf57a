import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct CompressionTests {
    let directory = TemporaryDirectory()

    func sink(_ rotate: RotationOptions) throws -> FileSink {
        try FileSink(FileOptions(path: directory.file("app.log"), rotate: rotate, time: .utc))
    }

    var zipped: [String] { directory.names.filter { $0.hasSuffix(".log.gz") } }
    var plain: [String] { directory.names.filter { $0.hasPrefix("app-") && $0.hasSuffix(".log") } }

    /// The result of gzip itself for a file.
    func unzip(_ name: String) throws -> String {
        let result = try Program.run(["-dc", directory.file(name)], of: "gzip")
        #expect(result.code == 0)
        return result.output
    }

    /// The result of an administrator's gzip for a rotated file.
    func gzip(_ name: String, to result: String) throws {
        let copy = TemporaryDirectory()
        try copy.append(directory.text(name), to: name)
        #expect(try Program.run([copy.file(name)], of: "gzip").code == 0)
        try write(FileDescriptor(copy.file(name + ".gz"), .read).read(1 << 20, at: 0)[...], to: result)
    }

    private func write(_ bytes: ArraySlice<UInt8>, to name: String) throws {
        let file = try FileDescriptor(directory.file(name), [.write, .create, .truncate], mode: 0o640)
        #expect(Array(bytes).withUnsafeBytes { file.write(all: $0).code } == 0)
    }

    @Test func `rotated files are compressed completely, with their own time and mode`() throws {
        let sink = try sink(RotationOptions(size: .kibibytes(64), keep: nil, compress: .gzip))
        let messages = (0..<5000).map { "message \($0)" }
        try sink.write(messages)
        let before = try #require(try FileStatus.of(directory.file("app.log")))
        try directory.closeCompressed(sink)
        #expect(plain == [])
        #expect(zipped.count == 3)
        #expect(directory.names.count == 4)
        let found = try zipped.map { try unzip($0) }.joined() + directory.text("app.log")
        #expect(found.split(separator: "\n").map { $0.dropFirst(33) } == messages[...].map { Substring($0) })
        let status = try #require(try FileStatus.of(directory.file(zipped[0])))
        #expect(status.mode == before.mode)
        #expect(status.size < 16 << 10)
    }

    /// Compresses a rotated file, and restores the file: a run died before it deleted the source.
    func compressKeeping(_ text: String, as name: String) throws {
        try directory.append(text, to: name)
        let sink = try sink(RotationOptions(keep: nil, compress: .gzip))
        try sink.open()
        try directory.closeCompressed(sink)
        try #require(directory.names.contains(name + ".gz") && !directory.names.contains(name))
        try directory.append(text, to: name)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `a file into which root compresses in a user's directory is the user's`() throws {
        let name = "app-20200101T000000.000Z-0001.log"
        try directory.append("", to: name)
        // So that it takes long enough to be seen; it takes no space.
        truncate(directory.file(name), 16 << 30)
        chown(directory.path, 65_534, 65_534)
        let sink = try sink(RotationOptions(keep: nil, compress: .gzip))
        try sink.open()
        let isSeen = try waited { try FileStatus.of(directory.file(name + ".gz.tmp"))?.owner == 65_534 }
        try sink.close(within: .zero)
        #expect(isSeen)
    }

    @Test func `a dead run's leftovers are finished or discarded`() throws {
        let names = (1...4).map { "app-20200101T000000.000Z-000\($0).log" }
        // The first was compressed but not yet deleted, the second was being compressed, the third was not begun.
        try compressKeeping("one\n", as: names[0])
        try directory.append("two\n", to: names[1])
        try directory.append("half", to: names[1] + ".gz.tmp")
        try directory.append("three\n", to: names[2])
        try directory.append("foreign", to: "other.gz.tmp")
        try directory.append("half", to: names[3] + ".gz.tmp")
        let sink = try sink(RotationOptions(keep: nil, compress: .gzip))
        try sink.write(["a"])
        try directory.closeCompressed(sink)
        #expect(zipped == names.prefix(3).map { $0 + ".gz" })
        #expect(try unzip(names[0] + ".gz") == "one\n")
        #expect(try unzip(names[1] + ".gz") == "two\n")
        #expect(try unzip(names[2] + ".gz") == "three\n")
        #expect(plain == [])
        #expect(directory.names.filter { $0.hasSuffix(".tmp") } == ["other.gz.tmp"])
    }

    @Test(arguments: [nil, RotationOptions.Compression.gzip])
    func `a source is deleted only if the file next to it was created by Taffrail and is complete`(
        _ compress: RotationOptions.Compression?
    ) throws {
        let names = (1...8).map { "app-20200101T000000.000Z-000\($0).log" }
        let text = (0..<2000).map { "line \($0)\n" }.joined()
        for name in names.dropFirst() { try directory.append(text, to: name) }
        // An administrator's gzip and zstd: whole, torn, not begun, and of something else. Ours: torn, of something else.
        try gzip(names[1], to: names[1] + ".gz")
        try directory.append("torn", to: names[2] + ".gz")
        try directory.append("", to: names[3] + ".gz")
        try directory.append("(torn", to: names[4] + ".zst")
        try gzip(names[5], to: names[5] + ".gz")
        truncate(directory.file(names[5] + ".gz"), off_t(directory.size(names[5] + ".gz") - 1))
        let other = CompressionTests()
        try other.compressKeeping(text, as: names[0])
        let ours = try FileDescriptor(other.directory.file(names[0] + ".gz"), .read).read(1 << 20, at: 0)
        try write(ours.dropLast(), to: names[6] + ".gz")
        try write(ours[...], to: names[7] + ".gz")
        try directory.append("more\n", to: names[7])
        let before = directory.names.map { name in (name, directory.size(name)) }
        let sink = try sink(RotationOptions(keep: nil, compress: compress))
        for _ in 0..<3 {
            try sink.open()
            try sink.close()
        }
        // On a busy machine the one that is compressed may not have been finished three times.
        for _ in 0..<1200 where compress != nil && directory.names.contains(names[4]) {
            try sink.open()
            try sink.close()
            poll(nil, 0, 50)
        }
        for (name, size) in before where name != names[4] { #expect(directory.size(name) == size, "\(name)") }
        for name in names[1..<7] where name != names[4] { #expect(directory.text(name) == text, "\(name)") }
        // Next to a .zst, whichever program created it, a file is compressed as any other, and its own result
        // represents it.
        #expect(try (compress == nil ? directory.text(names[4]) : unzip(names[4] + ".gz")) == text)
    }

    @Test func `a source whose compressed file is complete stays if nothing is compressed any longer`() throws {
        let name = "app-20200101T000000.000Z-0001.log"
        try compressKeeping("one\n", as: name)
        try sink(RotationOptions(keep: nil)).write(["a"])
        #expect(directory.names == [name, name + ".gz", "app.log"])
    }

    @Test func `leftovers are deleted even if nothing is compressed any longer`() throws {
        try directory.append("half", to: "app-20200101T000000.000Z-0001.log.gz.tmp")
        try directory.append("two\n", to: "app-20200101T000000.000Z-0001.log")
        try sink(RotationOptions(keep: nil)).write(["a"])
        #expect(directory.names == ["app-20200101T000000.000Z-0001.log", "app.log"])
    }

    @Test func `a file that another process is compressing is skipped`() throws {
        let name = "app-20200101T000000.000Z-0001.log"
        try directory.append("two\n", to: name)
        try directory.append("", to: name + ".gz.tmp")
        let other = try FileDescriptor(directory.file(name + ".gz.tmp"), .readWrite)
        try FileLock.acquire(other, start: 0, length: 0)
        let sink = try sink(RotationOptions(keep: nil, compress: .gzip))
        try sink.write(["a"])
        try sink.close()
        #expect(directory.names == [name, name + ".gz.tmp", "app.log"])
    }

    @Test func `a shutdown waits for a compression no longer than for the records`() throws {
        let name = "app-20200101T000000.000Z-0001.log"
        try directory.append("", to: name)
        // Sparse: compressing all of it takes minutes.
        #expect(truncate(directory.file(name), 32 << 30) == 0)
        var isInTime = false
        // A writer that has to wait for a processor may be late for another reason, but not each time.
        for _ in 0..<20 where !isInTime {
            let pipeline = Pipeline(
                sinks: [try sink(RotationOptions(keep: nil, compress: .gzip))],
                queue: QueueOptions(handleSignals: false))
            pipeline.logger.info("a")
            #expect(pipeline.flush())
            isInTime = pipeline.shutdown(timeout: .seconds(0.5))
        }
        #expect(isInTime)
        #expect(directory.text("app.log").hasSuffix(" a\n") && plain == [name])
    }

    @Test func `compressed files count for retention`() throws {
        let sink = try sink(RotationOptions(size: .kibibytes(8), keep: 3, compress: .gzip))
        for batch in 0..<10 { try sink.write((0..<200).map { "batch \(batch) line \($0)" }) }
        try directory.closeCompressed(sink)
        #expect(zipped.count == 3)
        #expect(plain == [])
    }

    @Test func `several sinks compress the files of one log once each`() async throws {
        let options = FileOptions(
            path: directory.file("app.log"), rotate: RotationOptions(size: .kibibytes(16), keep: nil, compress: .gzip),
            time: .utc)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in ["a", "b", "c"] {
                group.addTask {
                    let sink = try FileSink(options, clock: { SystemClock.wallNanoseconds() })
                    for batch in 0..<50 { try sink.write((0..<20).map { "\(writer) \(batch * 20 + $0)" }) }
                    try sink.close()
                }
            }
            try await group.waitForAll()
        }
        let sink = try FileSink(options)
        try sink.open()
        try directory.closeCompressed(sink)
        #expect(plain == [])
        #expect(!directory.names.contains { $0.hasSuffix(".tmp") })
        let lines = (try zipped.map { try unzip($0) }.joined() + directory.text("app.log")).split(separator: "\n")
        #expect(lines.count == 3000)
        #expect(Set(lines).count == 3000)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `on a full disk the source stays`() throws {
        let disk = try SmallDisk("400k")
        let said = Locked<[String]>([])
        let sink = try FileSink(
            FileOptions(
                path: disk.directory.file("app.log"),
                rotate: RotationOptions(size: .kibibytes(64), keep: nil, compress: .gzip), time: .utc),
            clock: { SystemClock.wallNanoseconds() }, notice: { line in said.withLock { $0.append(line) } })
        try sink.open()
        try disk.directory.append(
            String(repeating: "0123456789abcdef\n", count: 3000), to: "app-20200101T000000.000Z-0001.log")
        try disk.fill()
        try sink.reopen()
        // An end would cancel a compression that has not failed yet.
        let isReported = waited { said.withLock { $0.contains { $0.contains("not compressed") } } }
        #expect(isReported)
        try sink.close()
        #expect(disk.directory.names == ["app-20200101T000000.000Z-0001.log", "app.log", "filler"])
        try disk.free()
        try sink.open()
        try disk.directory.closeCompressed(sink)
        #expect(disk.directory.names == ["app-20200101T000000.000Z-0001.log.gz", "app.log"])
    }
}
