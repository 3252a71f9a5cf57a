#if Store
import Taffrail
import TaffrailGeo

@testable import TaffrailStore

extension Points {
    /// Places that are once around 55° N 12° E, for each radius in metres.
    private static let rings: [Double: [Coordinate]] = {
        var rings: [Double: [Coordinate]] = [:]
        for radius in [800.0, 900, 5_000] {
            rings[radius] = (0..<7_200).map { index in
                Geodesy.destination(
                    from: Coordinate(latitude: 55, longitude: 12), bearing: Double(index) * 0.05, distance: radius)
            }
        }
        return rings
    }()

    /// Points a second apart on a circle with one of the radii of ``rings``.
    static func circle(_ range: Range<Int>, radius: Double = 5_000, device: String = "ferry") -> [TrackPoint] {
        let ring = rings[radius] ?? []
        return range.map { index in
            let place = ring[index % ring.count]
            return TrackPoint(
                timestamp: Timestamp(nanoseconds: start + Int64(index) * 1_000_000_000), lat: place.latitude,
                lon: place.longitude, hAcc: 5, device: device, session: "one")
        }
    }
}
#endif
