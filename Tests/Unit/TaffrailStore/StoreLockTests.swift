#if Store
import Glibc
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

@Suite struct StoreLockTests {
    /// A child that has been forked and has not called `exec` yet is such a copy.
    @Test func `the lock ends with its holder, even if another descriptor of the file is open`() throws {
        let folder = TemporaryDirectory()
        let store = StoreFile(path: folder.file("track.sqlite"), kind: .positions)
        let copy = try Self.copyOfLock(of: store)
        defer { close(copy) }
        _ = try StoreLock(store)
    }

    private static func copyOfLock(of store: StoreFile) throws -> CInt {
        let lock = try StoreLock(store)
        #expect(throws: StoreError.self) { _ = try StoreLock(store) }
        let number = try #require(
            (0..<4096).first { number in
                guard let path = realpath("/proc/self/fd/\(number)", nil) else { return false }
                defer { free(path) }
                return String(cString: path) == store.lockPath
            })
        let copy = fcntl(CInt(number), F_DUPFD_CLOEXEC, 0)
        extendLifetime(lock)
        return copy
    }
}
#endif
