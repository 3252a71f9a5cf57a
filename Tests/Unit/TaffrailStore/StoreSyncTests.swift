#if Store
import GRDB
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Which failures count as lost writes.
@Suite(.mayBlock) struct StoreSyncTests {
    /// A failure that a transaction reports.
    private func isLoss(_ code: ResultCode) -> Bool {
        let sync = StoreSync(.writeAhead, checkpointPages: 1_000)
        sync.note(DatabaseError(resultCode: code))
        return sync.hasLostWrites
    }

    @Test func `a transaction whose sync has failed has lost writes, and one that failed otherwise has not`() {
        #expect(isLoss(.SQLITE_IOERR_FSYNC))
        #expect(!isLoss(.SQLITE_FULL))
        #expect(!isLoss(.SQLITE_IOERR_WRITE))
        #expect(!isLoss(.SQLITE_BUSY))
    }

    @Test func `a sync that fails while the store is maintained has lost writes`() throws {
        let folder = TemporaryDirectory()
        let store = TrackStore.at(folder.file("track.sqlite"))
        let failure = #expect(throws: StoreError.self) {
            try store.withConnection { connection in
                connection.isDirty = true
                // In place of `PRAGMA optimize` or a vacuum, which write in transactions of their own.
                try connection.write { _ in throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC) }
            }
        }
        #expect(failure?.isLost == false)
        for _ in 0..<2 {
            let lost = #expect(throws: StoreError.self) { try store.withConnection { try $0.flush() } }
            #expect(lost?.isLost == true)
        }
    }

    @Test func `a loss is not forgotten`() throws {
        let sync = StoreSync(.writeAhead, checkpointPages: 1_000)
        sync.note(DatabaseError(resultCode: .SQLITE_IOERR_FSYNC))
        try sync {}
        #expect(sync.hasLostWrites)
        #expect(throws: SystemError.self) { try sync { throw SystemError("sync", code: 5) } }
    }
}
#endif
