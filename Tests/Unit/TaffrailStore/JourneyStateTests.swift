#if Store
import Foundation
import Testing

@testable import TaffrailStore

/// The states of unfinished trips, which a store keeps from one version of the program to the next.
@Suite struct JourneyStateTests {
    /// A fix ten metres farther east for each second, with one jump.
    private static func fix(_ second: Int64) -> JourneyFix {
        let east = second == 20 ? 900_000 : second * 1_500
        return JourneyFix(
            time: second * 1_000, hash: second, place: ScaledCoordinate(lat: 550_000_000, lon: 120_000_000 + east))
    }

    @Test func `a state has the keys of earlier versions, and continues`() throws {
        var analysis = JourneyAnalysis()
        var findings = JourneyFindings()
        for second in 0..<60 { analysis.take(Self.fix(Int64(second)), into: &findings) }
        let trip = try #require(analysis.open.trip)
        #expect(trip.omittedFixes == 1)

        let text = try analysis.encoded()
        let state = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let path = try #require(state["way"] as? [String: Any])
        #expect(path["leftOut"] as? Int == 1 && path["omittedFixes"] == nil, "\(path)")
        let keys = [
            "begin", "from", "start", "meter", "window", "outside", "outsideSince", "points", "longestGap", "passed",
            "farthest",
        ]
        #expect(Set(keys).isSubset(of: path.keys), "\(path.keys)")

        #expect(try JourneyAnalysis(encoded: text).open.trip?.omittedFixes == 1)
    }
}
#endif
