#if Store
import GRDB
import Taffrail
import Testing

@testable import TaffrailStore

/// Which failures count as lost writes.
@Suite struct StoreSyncTests {
    /// A failure that a transaction reports.
    private func isLoss(_ code: ResultCode) -> Bool {
        let sync = StoreSync(checkpointPages: 1_000)
        sync.note(DatabaseError(resultCode: code))
        return sync.hasLostWrites
    }

    @Test func `a transaction whose sync has failed has lost writes, and one that failed otherwise has not`() {
        #expect(isLoss(.SQLITE_IOERR_FSYNC))
        #expect(!isLoss(.SQLITE_FULL))
        #expect(!isLoss(.SQLITE_IOERR_WRITE))
        #expect(!isLoss(.SQLITE_BUSY))
    }

    @Test func `a loss is not forgotten`() throws {
        let sync = StoreSync(checkpointPages: 1_000)
        sync.note(DatabaseError(resultCode: .SQLITE_IOERR_FSYNC))
        try sync {}
        #expect(sync.hasLostWrites)
        #expect(throws: SystemError.self) { try sync { throw SystemError("sync", code: 5) } }
    }
}
#endif
