import Taffrail
import TaffrailTesting
import Testing
import TicketDesk

@Suite struct TicketDeskTests {
    @Test func `a sale is logged without the passenger's name`() async {
        await withCapturedLog { log in
            let desk = TicketDesk(seats: 3)
            #expect(await desk.sell(2, to: "N. N."))
            #expect(log.messages == ["sold 2 to <private>"])
            #expect(log.records.first?["left"] == 1)
        }
    }

    @Test func `too few seats are a warning`() async {
        await withCapturedLog { log in
            let desk = TicketDesk(seats: 1)
            #expect(await desk.sell(2, to: "N. N.") == false)
            let record = log.records(of: "tickets").first
            #expect(record?.level == .warning && record?["wanted"] == 2)
        }
    }
}
