import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

@Suite(.mayBlock) struct LogIndexTests {
    let directory = TemporaryDirectory()
    let clock = ManualClock()
    static let start: Int64 = 1_767_623_400_123_000_000

    func sink(_ rotate: RotationOptions, format: FileOptions.Format = .text) throws -> FileSink {
        let clock = clock
        return try FileSink(
            FileOptions(path: directory.file("app.log"), rotate: rotate, format: format, time: .utc),
            clock: { clock.nanoseconds })
    }

    var log: LogPath {
        get throws { try #require(LogPath(ofLog: directory.file("app.log"))) }
    }

    var index: [LogIndex.File] {
        get throws { try LogIndex(of: log).files }
    }

    /// Writes numbered records, one millisecond after the other.
    func write(_ numbers: some Sequence<UInt64>, run: UInt64, to sink: FileSink) throws {
        var buffer = RecordBuffer(run: RingID(run))
        for number in numbers {
            buffer.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: Self.start + Int64(number) * 1_000_000), sequence: number,
                    level: .info, message: "record \(number)"))
        }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
    }

    func time(_ number: Int64) -> Int64 { Self.start + number * 1_000_000 }

    @Test func `an entry reads back, and a damaged one does not`() {
        let file = IndexEntry.FileID(inode: .max, birth: -3)
        let boundary = IndexEntry.Boundary(file: file, offset: 7, run: RingID(9), base: "my app.log")
        let entries: [IndexEntry] = [
            .start(at: boundary, sequence: 1, time: -1),
            .end(at: boundary, sequence: 12, lines: 11, time: 5),
            .unindexed(at: boundary, sequence: 13),
            .rotated(
                file: file, size: 1, lines: nil, earliest: nil, latest: 5, name: "a b-20260105T143000.123Z-0001.log"),
        ]
        for entry in entries {
            let text = entry.text
            #expect(text.hasSuffix("\n"))
            #expect(IndexEntry(text.dropLast()).map { "\($0)" } == "\(entry)")
            for place in text.indices.dropLast() {
                var damaged = text
                damaged.replaceSubrange(place...place, with: text[place] == "7" ? "8" : "7")
                #expect(IndexEntry(damaged.dropLast()) == nil)
            }
            #expect(IndexEntry(text.dropLast(3)) == nil)
        }
        #expect(IndexEntry("") == nil)
    }

    @Test func `each file's numbers and times are recorded`() throws {
        let sink = try sink(RotationOptions(size: .kibibytes(2), keep: nil))
        try write(1...60, run: 5, to: sink)
        try write(61...100, run: 5, to: sink)
        let files = try index
        #expect(files.count == 3)
        var next: UInt64 = 1
        for file in files.dropLast() {
            let stretch = try #require(file.stretches.first)
            #expect(file.stretches.count == 1)
            #expect(stretch.firstSequence == next)
            let last = try #require(stretch.lastSequence)
            #expect(file.earliest == time(Int64(next)) && file.latest == time(Int64(last)))
            #expect(file.lines == Int64(last - next + 1) && stretch.lines == file.lines)
            #expect(stretch.start == 0 && stretch.end == file.size && stretch.run == RingID(5))
            #expect(directory.lines(try #require(file.name?.text(in: log))).count == Int(last - next + 1))
            next = last + 1
        }
        #expect(files.last?.name == nil)
        #expect(files.last?.stretches.first?.firstSequence == next)
        #expect(files.last?.stretches.first?.lastSequence == nil)
        try sink.close()
        #expect(try index.last?.stretches.first?.lastSequence == 100)
    }

    @Test func `alternating runs have separate stretches`() throws {
        let one = try sink(RotationOptions(size: nil))
        let two = try sink(RotationOptions(size: nil))
        try write(1...3, run: 1, to: one)
        try write(4...5, run: 1, to: one)
        try write(1...2, run: 2, to: two)
        try write(6...6, run: 1, to: one)
        try one.close()
        try two.close()
        let stretches = try #require(try index.last?.stretches)
        #expect(stretches.map(\.run) == [RingID(1), RingID(2), RingID(1)])
        #expect(stretches.map(\.firstSequence) == [1, 1, 6])
        #expect(stretches.map(\.lastSequence) == [5, 2, 6])
        #expect(stretches.map(\.lines) == [5, 2, 1])
        #expect(stretches[0].end == stretches[1].start && stretches[1].end == stretches[2].start)
    }

    @Test func `omitted numbers show in the count of lines`() throws {
        let sink = try sink(RotationOptions(size: nil, keep: nil))
        try write([1, 2, 5, 9], run: 1, to: sink)
        try sink.rotate()
        try sink.close()
        let file = try #require(try index.first)
        #expect(file.lines == 4)
        #expect(file.stretches.first?.lastSequence == 9)
    }

    @Test func `truncated and rewritten lines count once`() throws {
        let ring = FakeRing(path: directory.file(".taffrail/0007.ring"))
        let first = try FileSink(
            FileOptions(path: directory.file("app.log"), rotate: RotationOptions(size: nil, keep: nil), time: .utc),
            clock: { 0 }, readCheckpoint: ring.reader)
        try write(1...3, run: 7, to: first)
        // A death in the second block: its note, its start in the index and half of its text are there.
        let status = try #require(try FileStatus.of(directory.file("app.log")))
        let live = try FileDescriptor(directory.file("app.log"), .readWrite)
        let state = try LogState(of: log)
        try write(4...6, run: 7, to: first)
        WriteIntent(
            kind: .block, file: live.identity(status), start: status.size, end: 640, run: RingID(7), sinkSlot: 3,
            text: Array("0007.ring".utf8)
        ).store(in: state.slot)
        let second = try FileSink(
            FileOptions(path: directory.file("app.log"), rotate: RotationOptions(size: nil, keep: nil), time: .utc),
            clock: { 0 }, readCheckpoint: ring.reader)
        try write(4...6, run: 7, to: second)
        try second.rotate()
        try second.close()
        let file = try #require(try index.first)
        // The number of lines of the file was no longer certain when it was rotated.
        #expect(file.lines == nil)
        #expect(file.stretches.map(\.firstSequence) == [1, 4])
        #expect(file.stretches.last?.lastSequence == 6)
        #expect(directory.lines(try #require(file.name?.text(in: log))).count == 6)
    }

    @Test func `a missing index is rebuilt from the files, in every format`() throws {
        for format in [FileOptions.Format.text, .json, .logfmt] {
            let sink = try sink(RotationOptions(size: .kibibytes(2), keep: nil), format: format)
            try write(1...100, run: 3, to: sink)
            try sink.close()
            let before = try index
            unlink(directory.file(".taffrail/index"))
            try self.sink(RotationOptions(keep: nil), format: format).open()
            let after = try index
            #expect(after.map(\.name) == before.map(\.name))
            #expect(after.dropLast().map(\.size) == before.dropLast().map(\.size))
            // Times are left to readers, who search for them.
            #expect(after.dropLast().allSatisfy { $0.earliest == nil && $0.latest == nil }, "\(format)")
            let shown = try TailOutput([directory.path]) {
                $0.format = .text
                $0.filter.range = LineRange(since: time(40), until: time(71))
            }
            #expect(shown.messages == (40...70).map { "record \($0)" }, "\(format)")
            for name in directory.names { unlink(directory.file(name)) }
        }
    }

    @Test func `a wrong index is put right`() throws {
        let sink = try sink(RotationOptions(size: .kibibytes(2), keep: nil))
        try write(1...100, run: 3, to: sink)
        try sink.close()
        let before = try index
        // One file grows, another goes, and the index has a torn line.
        let names = directory.names.filter { $0.hasPrefix("app-") }
        try directory.append("[2026-01-06 00:00:00.000] [INFO] later\n", to: names[0])
        unlink(directory.file(names[1]))
        try directory.append("deadbeef s 12 3", to: ".taffrail/index")
        try self.sink(RotationOptions(keep: nil)).open()
        let after = try index
        #expect(after.count == before.count - 1)
        #expect(after[0].size == directory.size(names[0]))
        #expect(after[0].latest == nil)
        let shown = try TailOutput([directory.path]) { $0.filter.range.since = 1_767_657_600_000_000_000 }
        #expect(shown.messages == ["later"])
        #expect(after[0].lines == nil)
    }

    @Test func `compressed files keep their index entries`() throws {
        let sink = try sink(RotationOptions(size: .kibibytes(2), keep: nil, compress: .gzip))
        try write(1...100, run: 3, to: sink)
        try directory.closeCompressed(sink)
        let files = try index
        #expect(files.dropLast().allSatisfy { $0.name?.compression == .gzip })
        #expect(files.dropLast().allSatisfy { $0.lines != nil && $0.stretches.count == 1 })
        try self.sink(RotationOptions(keep: nil)).open()
        #expect(try "\(index)" == "\(files)")
    }

    @Test(arguments: ["app-99990101T000000.000Z-0001.log", "app-00010101T000000.000Z-0001.log.gz"])
    func `a rotated file of a year beyond those of nanoseconds is indexed`(name: String) throws {
        try directory.append("x\n", to: name)
        try write(1...1, run: 3, to: try sink(RotationOptions(keep: nil)))
        #expect(try index.compactMap { try $0.name?.text(in: log) } == [name])
        #expect(directory.lines("app.log").count == 1)
    }

    @Test func `the index does not grow with deleted files`() throws {
        let sink = try sink(RotationOptions(size: .kibibytes(1), keep: 2))
        try directory.append("", to: "other.log")
        let other = try FileSink(FileOptions(path: directory.file("other.log")))
        try other.write(["a"])
        for batch in 0..<60 { try write((UInt64(batch) * 200 + 1)...(UInt64(batch) * 200 + 200), run: 3, to: sink) }
        #expect(directory.size(".taffrail/index") < 100_000)
        try sink.close()
        #expect(try index.count == 3)
        let others = try LogIndex(of: #require(LogPath(ofLog: directory.file("other.log")))).files
        #expect(others.last?.stretches.count == 1)
    }
}

extension IndexEntry {
    /// Parses a line, without its newline.
    ///
    /// - Returns: `nil` if it is invalid.
    fileprivate init?(_ line: some StringProtocol) {
        var text = String(line)
        let entry = text.withUTF8 { IndexEntry(bytes: UnsafeRawBufferPointer($0)) }
        guard let entry else { return nil }
        self = entry
    }
}
