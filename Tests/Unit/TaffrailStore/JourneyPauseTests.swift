#if Store
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Visits and trips around pauses without fixes.
@Suite(.mayBlock) struct JourneyPauseTests {
    /// A fix at a second after the start, metres east of a place.
    private static func fix(_ second: Int64, _ east: Double) -> TrackPoint {
        let place = Geodesy.destination(
            from: Coordinate(latitude: 55, longitude: 12), bearing: 90, distance: east)
        return TrackPoint(
            timestamp: Timestamp(nanoseconds: GeneratedDay.start + second * 1_000_000_000), lat: place.latitude,
            lon: place.longitude, hAcc: 15, device: "ferry", session: "s")
    }

    @Test func `a visit at the edge of another one ends when the next fix is far away`() throws {
        let folder = TemporaryDirectory()
        var points = (0...20).map { Self.fix($0 * 60, 0) }
        // Ten minutes outside the radius, within the accuracy; two hours without a fix, and then 5 km away.
        points += [Self.fix(1_260, 110), Self.fix(1_860, 110), Self.fix(9_060, 5_000)]
        try folder.store.save(points)
        let visits = try folder.reader.journeys().visits
        #expect(visits.map(\.isOpen) == [false, false], "\(visits)")
        // Hours later it is at the edge again.
        try folder.store.save([Self.fix(20_000, 110), Self.fix(20_400, 110)])
        let later = try folder.reader.journeys().visits
        #expect(later.map(\.isOpen) == [false, false, true], "\(later)")
    }
}
#endif
