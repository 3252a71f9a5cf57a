#if Journald
import Glibc
import Testing

@testable import TaffrailJournald

@Suite struct JournalSocketTests {
    @Test(arguments: [EMFILE, ENFILE, ENOMEM, ENOSPC])
    func `a long record waits while there are no descriptors or no memory for it`(code: CInt) {
        #expect(JournalSocket.unsealed(code) == .full)
    }

    @Test(arguments: [ENOSYS, EPERM, EINVAL])
    func `a long record that can never be passed is refused`(code: CInt) {
        #expect(JournalSocket.unsealed(code) == .refused(code))
    }
}
#endif
