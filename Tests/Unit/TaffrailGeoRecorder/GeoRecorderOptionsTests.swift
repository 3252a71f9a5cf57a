import Foundation
import Taffrail
import TaffrailGeo
import Testing

@testable import TaffrailGeoRecorder
@testable import TaffrailRecording

@Suite struct GeoRecorderOptionsTests {
    static func options(_ json: String) throws -> RecordingOptions {
        try JSONDecoder().decode(GeoRecorderOptions.self, from: Data(json.utf8)).recording
    }

    @Test func `every option is read`() throws {
        let options = try Self.options(
            """
            {"directory":"/x","flush_events":5,"flush_interval":"10s","split":{"size":"1MiB","every":"1h"},
            "keep":{"count":3,"age":"1d","total":"1GiB"},"include":["logs"],"precision":4,
            "zones":[{"latitude":1,"longitude":2,"radius":300,"action":"coarsen"},{"latitude":3,"longitude":4,"radius":5}]}
            """)
        var expected = RecordingOptions(directory: "/x")
        expected.flushEvents = 5
        expected.flushInterval = .seconds(10)
        expected.splitSize = .mebibytes(1)
        expected.splitInterval = .hours(1)
        expected.keepCount = 3
        expected.keepAge = .days(1)
        expected.keepTotal = .gibibytes(1)
        expected.includesLogs = true
        expected.privacy.precision = 4
        expected.privacy.zones = [
            PrivacyZone(center: Coordinate(latitude: 1, longitude: 2), radius: 300, action: .coarsen),
            PrivacyZone(center: Coordinate(latitude: 3, longitude: 4), radius: 5),
        ]
        #expect(options == expected)
        #expect(try Self.options("{}").flushEvents == 10)
    }

    @Test(arguments: [
        "{\"flush_events\":0}", "{\"flush_interval\":\"1ms\"}", "{\"split\":{\"size\":\"1KiB\"}}",
        "{\"keep\":{\"count\":0}}",
        "{\"include\":[\"music\"]}", "{\"precision\":10}",
        "{\"zones\":[{\"latitude\":91,\"longitude\":2,\"radius\":3}]}",
        "{\"zones\":[{\"latitude\":1,\"longitude\":2}]}", "{\"directory\":\"\"}",
        "{\"zones\":[{\"latitude\":1,\"longitude\":2,\"radius\":3,\"action\":\"hide\"}]}",
    ])
    func `a wrong value is refused`(json: String) {
        #expect(throws: DecodingError.self) { try Self.options(json) }
    }

    @Test func `it is known by its name`() throws {
        let registry = try PluginRegistry([GeoRecorderPlugin.self])
        #expect(registry["geo-recorder"]?.kind == .sink)
        #expect(registry["geo-recorder"]?.sample.contains("flush_interval") == true)
    }
}
