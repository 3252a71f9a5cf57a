import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite struct SpoolInspectionTests {
    @Test func `records that wait in a segment which is begun during an inspection are found`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        var upload = fixture.upload(to: FakeDestination())
        try fixture.append(1...2)
        var next = 3
        let inspection = try SpoolInspection(fixture.directory) {
            // Meanwhile a program sends, and continues in another segment.
            while next < 100, fixture.segments.first?.hasSuffix("/" + SpoolSegment.name(1)) == true {
                _ = try? fixture.append(next...next, length: 15_000)
                _ = upload.run()
                next += 1
            }
            _ = try? fixture.append(next...next)
        }
        #expect(next < 100)
        #expect(try fixture.waiting() == [next])
        var found: [Int] = []
        inspection.forEach { found.append(Int($0.sequence)) }
        // What was resolved meanwhile may be among them.
        #expect(found.last == next && !found.contains(1))
        #expect(try inspection.summary().records == UInt64(found.count))
    }
}
