#if Server && Store
import Foundation
import TaffrailGeo
import TaffrailRecording
import TaffrailStore
import TaffrailTestSupport
import TaffrailTracks
import Testing

@testable import Taffrail
@testable import TaffrailReceiver

/// `GET /api/route`, from a store in a file.
@Suite(.mayBlock) struct ReceiverRouteTests {
    private static let start: Int64 = 1_767_623_400

    /// A straight drive to the north, a fix a second.
    private static func drive(_ range: Range<Int>, device: String) -> [TrackPoint] {
        range.map { second in
            TrackPoint(
                timestamp: Timestamp(nanoseconds: (start + Int64(second)) * 1_000_000_000),
                lat: 55 + Double(second) * 1e-4, lon: 12, hAcc: 5, speed: 11, device: device, session: "s")
        }
    }

    private static func time(_ second: Int) -> String {
        ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(start) + Double(second)))
    }

    private static func trip(_ range: Range<Int>, _ device: String) -> String {
        "trip=\(time(range.lowerBound))/\(time(range.upperBound))/\(device)"
    }

    @Test func `trips are merged, cut and simplified, and are a file on demand`() async throws {
        let folder = TemporaryDirectory()
        try TrackStore.at(folder.file("track.sqlite")).save(
            Self.drive(0..<600, device: "ferry") + Self.drive(1_200..<1_500, device: "ferry")
                + Self.drive(100..<200, device: "tender"))
        var options = ReceiverOptions()
        options.logStore = folder.file("logs.sqlite")
        options.locationStore = folder.file("track.sqlite")
        let receiver = try await LiveReceiver(options)
        func pieces(_ query: String) async throws -> [(device: String, points: Int, total: Int)] {
            let answer = try await receiver.send("GET", "/api/route?" + query)
            #expect(answer.status == 200, "\(answer.body)")
            let json = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
            return (json?["tracks"] as? [[String: Any]] ?? []).map {
                ($0["device"] as? String ?? "", ($0["points"] as? [Any])?.count ?? 0, $0["total"] as? Int ?? 0)
            }
        }
        let both = Self.trip(0..<600, "ferry") + "&" + Self.trip(1_200..<1_500, "ferry")
        let whole = try await pieces(both)
        #expect(whole.map(\.points) == [600, 300] && whole.map(\.total) == [600, 300])
        let simple = try await pieces(both + "&tolerance=5")
        #expect(simple.map(\.points) == [2, 2] && simple.map(\.total) == [600, 300])
        let cut = try await pieces(both + "&from=\(Self.time(590))&to=\(Self.time(1_209))")
        #expect(cut.map(\.points) == [10, 10])
        let mixed = try await pieces(Self.trip(0..<600, "ferry") + "&" + Self.trip(0..<600, "tender"))
        #expect(Set(mixed.map { "\($0.device) \($0.points)" }) == ["ferry 600", "tender 100"])

        let gpx = try await receiver.send("GET", "/api/route?format=gpx&" + both)
        #expect(gpx["content-type"] == "application/gpx+xml")
        #expect(gpx.body.components(separatedBy: "<trkseg>").count == 3)
        let recording = try await receiver.send("GET", "/api/route?format=recording&tolerance=5&" + both)
        try folder.write(recording.body, to: "route.json")
        let reader = try TrackFormat.json.reader(path: folder.file("route.json"))
        var positions = 0
        while let event = try reader.next() { positions += event.event.location == nil ? 0 : 1 }
        #expect(positions == 4 && reader.metadata?.device == "ferry")

        for (query, parameter) in [
            ("", "trip"), ("trip=now/then/ferry", "trip"), (Self.trip(5..<5, "ferry"), "trip"),
            (both + "&tolerance=-1", "tolerance"), (both + "&format=kml", "format"), (both + "&from=x", "from"),
        ] {
            let answer = try await receiver.send("GET", "/api/route?" + query)
            #expect(answer.status == 400 && answer.body.contains("\"parameter\":\"\(parameter)\""), "\(query)")
        }
        #expect(try await receiver.send("GET", "/api/route?format=gpx&" + Self.trip(0..<9, "nobody")).status == 400)
        #expect(try await receiver.send("POST", "/api/route?" + both).status == 405)
        try await receiver.stop()
    }
}
#endif
