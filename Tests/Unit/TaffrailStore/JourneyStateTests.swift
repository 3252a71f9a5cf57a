#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// The stored states of the analysis of journeys.
@Suite struct JourneyStateTests {
    /// States as `JSONEncoder` wrote them in earlier versions, which encoded whole numbers without a point.
    private static let stored = [
        #"""
        {"filter":{"held":[],"pace":0},"isNew":true}
        """#,
        #"""
        {"filter":{"pace":1.2643045199364582,"held":[],"last":[1767624010000,-1234567890123456179,\#
        550001500,120000000,300,null,60]},"stay":{"longestGap":60000,"outsideSince":0,\#
        "lon":119999995.1049831,"weight":610,"core":20,"lastNear":1767624010000,"lat":550000027.8360656,\#
        "zone":60,"center":{"lat":550000028,"lon":119999995},"edge":[],"last":[1767624010000,\#
        -1234567890123456179,550001500,120000000,300,null,60],"arrival":1767623400000,"outside":0,\#
        "points":12,"clear":0},"isNew":false}
        """#,
        #"""
        {"isNew":false,"filter":{"last":[1767624160000,-1234567890123456029,550000000,120192000,500,\#
        1000,60],"pace":9.989179817545722,"held":[[1767624165000,-1234567890123456024,560000000,\#
        120000000,500,null,60]]},"way":{"start":"visit","zone":60,"begin":1767624010000,\#
        "passed":1767624100000,"points":3,"farthest":1228.7335722963107,"from":{"lat":550000028,\#
        "lon":119999995},"leftOut":0,"longestGap":50000,"outside":2,"outsideSince":1767624140000,\#
        "meter":{"measured":0,"uncertainty":30,"path":[{"lon":119999995,"lat":550000028},\#
        {"lon":120032000,"lat":550000000},{"lon":120064000,"lat":550000000},{"lon":120096000,\#
        "lat":550000000}]},"window":[[1767624120000,-1234567890123456069,550000000,120128000,500,1000,\#
        60],[1767624140000,-1234567890123456049,550000000,120160000,500,1000,60],[1767624160000,\#
        -1234567890123456029,550000000,120192000,500,1000,60]]}}
        """#,
        #"""
        {"way":{"points":0,"window":[[1767623400000,-1234567890123456789,550003906,120003863,500,null,\#
        60],[1767623460000,-1234567890123456729,550003426,120008184,500,null,60],[1767623520000,\#
        -1234567890123456669,550002985,120009307,500,null,60],[1767623580000,-1234567890123456609,\#
        550003997,120010596,500,null,60],[1767623640000,-1234567890123456549,550001599,120011962,500,\#
        null,60],[1767623700000,-1234567890123456489,550000498,120011012,500,null,60]],\#
        "checked":1767623700000,"leftOut":0,"passed":1767623400000,"farthest":59.43424063612474,\#
        "outside":0,"from":{"lon":120003863,"lat":550003906},"zone":60,"start":"first","longestGap":0,\#
        "outsideSince":0,"begin":1767623400000,"meter":{"measured":0,"uncertainty":15,\#
        "path":[{"lat":550003906,"lon":120003863}]}},"filter":{"last":[1767623700000,\#
        -1234567890123456489,550000498,120011012,500,null,60],"pace":0.14469559548258887,"held":[]},\#
        "isNew":false}
        """#,
    ]

    /// The same JSON with sorted keys and numbers of one form.
    private static func normal(_ json: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    @Test(arguments: stored) func `a state of an earlier version is read, and written with the same keys and values`(
        state: String
    ) throws {
        let encoded = try JourneyAnalysis(encoded: state).encoded()
        #expect(try Self.normal(encoded) == Self.normal(state))
        #expect(try JourneyAnalysis(encoded: encoded).encoded() == encoded)
    }

    @Test(arguments: [
        "", "{}", "[]", stored[0] + " {}", stored[0].replacing("false", with: "1").replacing("true", with: "1"),
        stored[1].replacing("\"core\"", with: "\"kernel\""), stored[1].replacing("\"points\":12,", with: ""),
        stored[2].replacing("\"visit\"", with: "\"other\""), stored[2].replacing("560000000,", with: ""),
        stored[3].replacing("{\"lat\"", with: "{\"lot\""), String(stored[3].dropLast()),
    ])
    func `any other text is refused`(state: String) {
        #expect(throws: (any Error).self) { try JourneyAnalysis(encoded: state) }
    }

    @Test func `an analysis that is stored after every fix finds the same`() throws {
        var whole = JourneyAnalysis()
        var parted = JourneyAnalysis()
        var (expected, found) = (JourneyFindings(), JourneyFindings())
        for (index, fix) in GeneratedDay(interval: 30).fixes.enumerated() {
            let place = ScaledCoordinate(
                lat: Int64((fix.coordinate.latitude * 1e7).rounded()),
                lon: Int64((fix.coordinate.longitude * 1e7).rounded()))
            let fix = JourneyFix(
                time: fix.timestamp.nanoseconds / 1_000_000, hash: Int64(index) - .max, place: place,
                accuracy: fix.horizontalAccuracy.map { Int64($0 * 100) }, speed: fix.speed.map { Int64($0 * 100) },
                zone: index % 2 == 0 ? nil : 60)
            whole.take(fix, into: &expected)
            parted.take(fix, into: &found)
            parted = try JourneyAnalysis(encoded: parted.encoded())
        }
        #expect(parted.encoded() == whole.encoded())
        #expect(expected.visits.count > 2 && expected.trips.count > 2)
        #expect("\(found)" == "\(expected)")
    }

    @Test func `a pause between coordinates that are too large to be added is analysed`() throws {
        var analysis = JourneyAnalysis()
        var findings = JourneyFindings()
        // 6e11 degrees.
        let place = ScaledCoordinate(lat: 6_000_000_000_000_000_000, lon: 120_000_000)
        for minute in 0..<Int64(3) {
            analysis.take(JourneyFix(time: minute * 360_000, hash: minute, place: place), into: &findings)
        }
        #expect(try JourneyAnalysis(encoded: analysis.encoded()).encoded() == analysis.encoded())
    }

    @Test func `the state after invalid coordinates can be read`() throws {
        var analysis = JourneyAnalysis()
        var findings = JourneyFindings()
        for second in 0..<Int64(600) {
            let place = ScaledCoordinate(lat: 950_000_000 + second % 7 * 9_000, lon: 120_000_000 + second * 9_000)
            analysis.take(JourneyFix(time: second * 1_000, hash: second, place: place), into: &findings)
        }
        #expect(try JourneyAnalysis(encoded: analysis.encoded()).encoded() == analysis.encoded())
        #expect(!analysis.encoded().contains("\"measured\":null"))
    }
}
#endif
