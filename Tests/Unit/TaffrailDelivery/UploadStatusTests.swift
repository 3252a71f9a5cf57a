import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite struct UploadStatusTests {
    @Test func `it has what waits and its age, the bytes of a day, the last error and the next attempt`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        let start = fixture.clock.nanoseconds
        destination.answer { _ in Attempt(.later(notBefore: nil), reason: "connection refused", bytes: 500) }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2)
        guard case .wait = upload.run() else { return _ = Issue.record("it does not wait") }
        func value(_ key: String) -> String? {
            upload.status.values(of: fixture.spool, now: fixture.clock.nanoseconds, since: start)
                .first { $0.key == key }?.value.description
        }
        fixture.clock.advance(by: .hours(12))
        #expect(value("bytes") == "\(fixture.spool.bytes)" && value("waiting_bytes") == "\(fixture.spool.pendingBytes)")
        #expect(fixture.spool.pendingBytes > 0 && value("oldest_age") == "12h")
        #expect(value("sent_bytes") == "500" && value("bytes_per_day") == "1000")
        #expect(value("last_error") == "connection refused" && value("next_attempt") != nil)
        #expect(value("last_accepted") == nil)
        destination.answer { _ in Attempt(.accepted(refused: 1), reason: "400", bytes: 500) }
        #expect(upload.run() == .idle)
        #expect(value("waiting_bytes") == "0" && value("oldest_age") == nil && value("bytes_per_day") == "2000")
        #expect(value("last_error") == nil && value("next_attempt") == nil && value("last_accepted") != nil)
        #expect(value("sent") == "1" && value("refused") == "1")
    }
}
