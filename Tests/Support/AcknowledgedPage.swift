internal import Foundation
internal import Glibc
internal import Testing

/// The page in which the subject's threads count the calls that returned.
package final class AcknowledgedPage {
    package let path: String
    private let round: String
    private let page: UnsafeMutableRawPointer
    private static let size = 4096

    package init(in directory: TemporaryDirectory, round: String) throws {
        path = directory.path + "/.page-" + round
        self.round = round
        try Data(count: Self.size).write(to: URL(fileURLWithPath: path))
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let mapped = mmap(nil, Self.size, PROT_READ, MAP_SHARED, file, 0)
        page = try #require(mapped == MAP_FAILED ? nil : mapped)
    }

    deinit { munmap(page, Self.size) }

    /// By `round/thread`.
    package var counts: [String: UInt64] {
        Dictionary(uniqueKeysWithValues: (0..<4).map { ("\(round)/\($0)", count($0)) })
    }

    private var total: UInt64 { count(0) + count(1) + count(2) + count(3) }

    private func count(_ thread: Int) -> UInt64 { page.load(fromByteOffset: 64 * thread, as: UInt64.self) }

    /// Waits until the first call has returned.
    ///
    /// - Throws: When none has returned after two minutes.
    package func waitForFirst() throws {
        let isLogging = waited { total > 0 }
        try #require(isLogging, "the subject logs nothing")
    }

    /// Waits until a number of further calls have returned, or until no more calls return, because calls wait for space
    /// on a full disk. On a busy machine the callers themselves may have to wait for a processor.
    package func wait(for more: UInt64) {
        let goal = total + more
        var (last, looks) = (total, 0)
        while last < goal && looks < 100 {
            poll(nil, 0, 1)
            let now = total
            looks = now == last ? looks + 1 : 0
            last = now
        }
    }
}
