import Glibc
import Synchronization

@testable import Taffrail

/// A directory of a test's own, deleted with all it has at the end.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/taffrail-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp/taffrail-test-without-directory"
    }

    deinit { Self.delete(path) }

    private static func delete(_ path: String) {
        for entry in (try? Directory.entries(of: path)) ?? [] {
            let inner = path + "/" + entry.name
            if (try? FileStatus.of(inner))?.isDirectory == true { delete(inner) } else { unlink(inner) }
        }
        rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The names in the directory but `.taffrail`, sorted.
    var names: [String] {
        ((try? Directory.entries(of: path)) ?? []).map(\.name).filter { $0 != ".taffrail" }.sorted()
    }

    func text(_ name: String) -> String {
        guard let file = try? FileDescriptor(self.file(name), .read), let size = try? file.status().size,
            let bytes = try? file.read(Int(size), at: 0)
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func lines(_ name: String) -> [String] { text(name).split(separator: "\n").map(String.init) }

    func size(_ name: String) -> Int64 { (try? FileStatus.of(file(name)))?.size ?? -1 }

    func write(_ text: String, to name: String) throws {
        let made = try FileDescriptor(file(name), [.write, .create, .append], mode: 0o640)
        let (_, code) = Array(text.utf8).withUnsafeBytes { made.write(all: $0) }
        if code != 0 { throw SystemError("write", code: code) }
    }
}

/// A clock that a test sets.
final class SetClock: Sendable {
    private let time: Atomic<Int64>

    /// Starts at a time in seconds since 1970.
    init(_ seconds: Int64 = 1_767_623_400) { time = Atomic(seconds * 1_000_000_000) }

    var now: Int64 { time.load(ordering: .relaxed) }
    func advance(seconds: Int64) { time.wrappingAdd(seconds * 1_000_000_000, ordering: .relaxed) }
    func set(seconds: Int64) { time.store(seconds * 1_000_000_000, ordering: .relaxed) }
}

/// Stands for a ring: its checkpoint word.
final class FakeRing: Sendable {
    let position: Atomic<UInt64>
    let path: String?
    let run = RingID(7)

    init(path: String?, position: UInt64 = 0) {
        self.path = path
        self.position = Atomic(position)
    }

    var checkpoint: SinkCheckpoint {
        SinkCheckpoint(ringPath: path, run: run, slot: 3) { [self] in
            position.store($0, ordering: .sequentiallyConsistent)
            return true
        }
    }

    /// Reads the checkpoint as the next holder of the lock does.
    var reader: CheckpointReader {
        { [self] path, run, slot in
            guard run == self.run, slot == 3, path == self.path else { return nil }
            return position.load(ordering: .sequentiallyConsistent)
        }
    }
}

extension FileSink {
    /// Writes messages as one batch.
    func write(
        _ messages: [String], at time: Int64 = 1_767_623_400_123_000_000, level: Level = .info,
        checkpoint: SinkCheckpoint? = nil, start: UInt64 = 0
    ) throws(SinkError) {
        var buffer = RecordBuffer(run: checkpoint?.run ?? .none, start: start)
        for message in messages {
            buffer.append(LogRecord(timestamp: Timestamp(nanoseconds: time), level: level, message: message))
        }
        try buffer.withBatch { batch throws(SinkError) in
            try write(
                RecordBatch(
                    base: batch.base, length: batch.length, run: batch.run, count: batch.count, start: batch.start,
                    checkpoint: checkpoint))
        }
    }
}
