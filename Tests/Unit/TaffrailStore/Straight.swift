#if Store
import Foundation
import TaffrailGeo

/// A straight line between two places.
enum Straight {
    /// How far a place is from the line between two others, by geodesics alone: the least of many places on it, or the
    /// first one of them that is not more than `enough` metres away.
    static func distance(_ place: Coordinate, _ start: Coordinate, _ end: Coordinate, enough: Double = 0) -> Double {
        let line = Geodesy.line(from: start, to: end)
        var (low, high) = (0.0, line.distance)
        func away(_ along: Double) -> Double {
            Geodesy.distance(place, Geodesy.destination(from: start, bearing: line.initialBearing, distance: along))
        }
        // What is nearest on a plane is nearly so on the earth: mostly nothing else need be measured.
        let side = Geodesy.line(from: start, to: place)
        let foot = side.distance * cos((side.initialBearing - line.initialBearing) * .pi / 180)
        let first = away(min(high, max(0, foot)))
        if first <= enough { return first }
        for _ in 0..<30 {
            let (one, two) = (low + (high - low) / 3, high - (high - low) / 3)
            if away(one) < away(two) { high = two } else { low = one }
        }
        return min(away(low), away(0), away(line.distance), first)
    }
}
#endif
