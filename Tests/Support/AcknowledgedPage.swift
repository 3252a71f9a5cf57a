internal import Foundation
internal import Glibc
internal import Testing

/// The page in which the subject's threads count the calls that returned.
package final class AcknowledgedPage {
    package let path: String
    private let round: String

    package init(in directory: TemporaryDirectory, round: String) throws {
        path = directory.path + "/.page-" + round
        self.round = round
        try Data(count: 4096).write(to: URL(fileURLWithPath: path))
    }

    /// By `round/thread`.
    package var counts: [String: UInt64] {
        guard let data = FileManager.default.contents(atPath: path), data.count == 4096 else { return [:] }
        var counts: [String: UInt64] = [:]
        for thread in 0..<4 {
            counts["\(round)/\(thread)"] = data.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: 64 * thread, as: UInt64.self)
            }
        }
        return counts
    }

    private var total: UInt64 {
        guard let data = FileManager.default.contents(atPath: path), data.count == 4096 else { return 0 }
        return data.withUnsafeBytes { page in
            (0..<4).reduce(0) { $0 + page.loadUnaligned(fromByteOffset: 64 * $1, as: UInt64.self) }
        }
    }

    /// Waits until the first call has returned.
    ///
    /// - Throws: When that is not so after half a minute.
    package func waitForFirst() throws {
        for _ in 0..<30_000 where total == 0 { poll(nil, 0, 1) }
        try #require(total > 0, "the subject logs nothing")
    }

    /// Waits until a number of further calls have returned, or until none returns any more: with a full disk, calls
    /// wait for space.
    package func wait(for more: UInt64) {
        let goal = total + more
        var (last, looks) = (total, 0)
        while last < goal && looks < 10 {
            poll(nil, 0, 1)
            let now = total
            looks = now == last ? looks + 1 : 0
            last = now
        }
    }
}
