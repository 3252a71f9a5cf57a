internal import Foundation
internal import Glibc
package import Taffrail

/// A sink that keeps its position together with its data, in one file of a separate directory, as a database does. A
/// kill inside write(2) leaves a part of a line, which is not a record: the next run truncates it.
package final class StoreSink: Sink, Sendable {
    package let name: String
    private let directory: String
    /// Whether the sink fails.
    package let fails = Locked(false)
    private let isCut = Locked(false)
    /// Whether the sink accepts only half of every second batch at once.
    private let stutters: Bool
    private let calls = Locked(0)

    package init(_ directory: String, name: String = "store", stutters: Bool = false) {
        self.name = name
        self.directory = directory
        self.stutters = stutters
    }

    package var destinations: [String] { [directory] }

    package var stateDirectory: String? {
        mkdir(directory + "/.taffrail", 0o700)
        return directory + "/.taffrail"
    }

    /// One line for each record, in one write: the run, the position after it, its number, its message.
    package func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        if fails.withLock({ $0 }) { throw .temporary("configured to fail") }
        var text = ""
        var rest = limit(of: batch)
        let isPart = rest < batch.count
        defer { calls.withLock { $0 += 1 } }
        batch.forEach { record in
            if rest > 0 { text += "\(batch.run) \(record.end) \(record.sequence) \(record.message)\n" }
            rest -= 1
        }
        let file = Glibc.open(directory + "/store", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { _ = Glibc.close(file) }
        isCut.withLock { isCut in
            if !isCut { isCut = ftruncate(file, off_t(Self.whole(in: directory).count)) == 0 }
        }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw .temporary("cannot store") }
        if isPart { throw .temporary("takes a part", taken: limit(of: batch)) }
    }

    private func limit(of batch: borrowing RecordBatch) -> Int {
        stutters && calls.withLock { $0 % 2 == 0 } ? batch.count / 2 : batch.count
    }

    package func position(in ring: RingID) -> UInt64? {
        Self.lines(in: directory).last { $0.hasPrefix("\(ring) ") }.flatMap { UInt64($0.split(separator: " ")[1]) }
    }

    /// The file up to the end of its last complete line.
    private static func whole(in directory: String) -> Data {
        let data = FileManager.default.contents(atPath: directory + "/store") ?? Data()
        return data.lastIndex(of: 10).map { data[...$0] } ?? Data()
    }

    private static func lines(in directory: String) -> [Substring] {
        String(decoding: whole(in: directory), as: UTF8.self).split(separator: "\n")
    }

    /// The messages in a directory.
    package static func messages(in directory: String) -> [String] {
        lines(in: directory).map { String($0.split(separator: " ", maxSplits: 3)[3]) }
    }
}
