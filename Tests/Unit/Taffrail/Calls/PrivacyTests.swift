import Taffrail
import TaffrailTestSupport
import Testing

/// Which parts of a private value reach a record.
@Suite(.mayBlock) struct PrivacyTests {
    private let log = MemoryLog()

    private final class Secret: CustomStringConvertible {
        var described = 0
        var description: String {
            described += 1
            return "hunter2"
        }
    }

    @Test func `a private value is neither described nor evaluated`() {
        let secret = Secret()
        var asked = 0
        func ask() -> Secret {
            asked += 1
            return secret
        }
        log.logger.info("password \(ask(), privacy: .private) given")
        #expect(asked == 0 && secret.described == 0)
        log.logger.info("password \(ask(), privacy: .public) given")
        #expect(asked == 1 && secret.described == 1)
        #expect(log.messages == ["password <private> given", "password hunter2 given"])
    }

    @Test func `equal values have the same hash within a run, others have not`() throws {
        for name in ["anna", "anna", "bert"] { log.logger.info("\(name, privacy: .hash)") }
        log.logger.info("by \(42, privacy: .hash) and \("anna", privacy: .hash)")
        let messages = log.messages
        #expect(messages[0] == messages[1])
        #expect(messages[0] != messages[2])
        #expect(messages[3].hasSuffix(" and \(messages[0])"))
        #expect(messages[0].wholeMatch(of: /<hash:[0-9a-f]{16}>/) != nil)
        #expect(!messages.joined().contains("anna"))
    }
}
