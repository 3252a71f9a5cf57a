#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTracks
import Testing

@testable import TaffrailStore

/// Files of other programs; all of them are made up.
@Suite(.mayBlock) struct ImportTests {
    private func imported(_ text: String, as name: String) throws -> (
        TemporaryDirectory, TrackStore.Imported, [TrackPoint]
    ) {
        let folder = TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: folder.file("rec/jane/phone"), withIntermediateDirectories: true)
        try folder.write(text, to: name)
        let format = try #require(ImportFormat(path: folder.file(name)))
        let result = try folder.store.importPoints(folder.file(name), format: format)
        return (folder, result, try folder.stored())
    }

    @Test func `a file of OwnTracks Recorder has positions with speed, charge and device, and other messages`() throws {
        let (_, result, points) = try imported(
            """
            2026-01-05T14:30:00Z\t*                 \t{"_type":"location","lat":55.6761,"lon":12.5683,"tst":1767623400,\
            "acc":8,"alt":12,"vac":4,"vel":36,"cog":90,"batt":81,"tid":"ja","topic":"owntracks/jane/watch","inregions":["x"]}
            2026-01-05T14:30:10Z\t*                 \t{"_type":"location","lat":55.677,"lon":12.5683,"tst":1767623410,"vel":-1,\
            "cog":360,"vac":0,"batt":-1}
            2026-01-05T14:30:20Z\tlwt               \t{"_type":"lwt","tst":1767623420}
            2026-01-05T14:30:30Z\t*                 \t{"_type":"location","lat":95,"lon":12.5683,"tst":1767623430}
            2026-01-05T14:30:40Z\t*                 \t{"_type":"location","lat":55
            """, as: "rec/jane/phone/2026-01.rec")
        #expect(result.saved.inserted == 2 && result.skipped == 2)
        let first = try #require(points.first)
        #expect(first.device == "jane/watch" && first.battery == 0.81 && first.speed == 10 && first.course == 90)
        #expect(first.hAcc == 8 && first.altitude == 12 && first.verticalAccuracy == 4)
        #expect(first.timestamp == Timestamp(nanoseconds: 1_767_623_400_000_000_000))
        #expect(points[1].device == "jane/phone" && points[1].speed == nil && points[1].session == "2026-01.rec")
        #expect(points[1].course == 0 && points[1].verticalAccuracy == nil && points[1].battery == nil)
    }

    @Test func `a topic of OwnTracks without a device names the user`() throws {
        let (_, _, points) = try imported(
            #"2026-01-05T14:30:00Z\#t*\#t{"_type":"location","lat":55.6761,"lon":12.5683,"tst":1767623400,"#
                + #""tid":"ja","topic":"owntracks/jane"}"# + "\n", as: "rec/jane/phone/2026-01.rec")
        #expect(points.map(\.device) == ["jane"])
    }

    @Test func `a file of OwnTracks Recorder imported for the receiver's device has the same fixes`() throws {
        let folder = TemporaryDirectory()
        let message =
            #"{"_type":"location","lat":55.6761,"lon":12.5683,"tst":1767623400,"topic":"owntracks/jane/phone"}"#
        try folder.write("2026-01-05T14:30:00Z\t*\t" + message + "\n", to: "2026-01.rec")
        let sender = try #require(OwnTracksLocation.sender(topic: "owntracks/jane/phone"))
        let place = Coordinate(latitude: 55.6761, longitude: 12.5683)
        let location = OwnTracksLocation(place, seconds: 1_767_623_400) { _ in nil }.location
        let point = try #require(TrackPoint(location, device: sender.device, session: "run"))
        #expect(try folder.store.save([point]).inserted == 1)
        let file = folder.file("2026-01.rec")
        let result = try folder.store.importPoints(file, format: .ownTracks, device: sender.device)
        #expect(result.saved.repeated == 1 && result.saved.inserted == 0)
        // Without it, users with devices of the same name have separate tracks.
        #expect(try folder.store.importPoints(file, format: .ownTracks).saved.inserted == 1)
        #expect(try folder.reader.devices() == ["jane/phone", "phone"])
    }

    @Test func `Records has positions in both of its forms of time, and of several devices`() throws {
        let (_, result, points) = try imported(
            """
            {"locations": [
              {"timestampMs": "1767623400123", "latitudeE7": 556761000, "longitudeE7": 125683000, "accuracy": 20,
               "source": null},
              {"latitudeE7": -331234567, "longitudeE7": 4094967296, "accuracy": 7, "altitude": 31, "verticalAccuracy": 3,
               "velocity": 2, "heading": 180, "source": "GPS", "deviceTag": -77, "timestamp": "2026-01-05T14:31:00.5Z",
               "activity": [{"activity": [{"type": "STILL", "confidence": 100}], "timestamp": "2026-01-05T14:31:00Z"}]},
              {"latitudeE7": 1, "timestamp": "2026-01-05T14:32:00Z"},
              {"placeId": null, "latitudeE7": 556761000, "longitudeE7": 125683000}
            ]}
            """, as: "Records.json")
        #expect(result.saved.inserted == 2 && result.skipped == 2)
        #expect(points[0].timestamp == Timestamp(nanoseconds: 1_767_623_400_123_000_000) && points[0].hAcc == 20)
        #expect(points[0].source == nil)
        let second = points[1]
        #expect(second.lat == -33.1234567 && second.lon == -20 && second.device == "google -77")
        #expect(second.altitude == 31 && second.verticalAccuracy == 3 && second.speed == 2 && second.course == 180)
        #expect(second.source == "GPS" && second.timestamp == Timestamp(nanoseconds: 1_767_623_460_500_000_000))
    }

    @Test func `Timeline of Android has paths, visits, ways and signals, whose visits are found again`() throws {
        let (folder, result, points) = try imported(
            """
            {"semanticSegments": [
              {"startTime": "2026-01-05T08:00:00.000+01:00", "endTime": "2026-01-05T10:00:00.000+01:00",
               "visit": {"hierarchyLevel": 0, "probability": 0.8, "topCandidate": {"semanticType": "HOME",
                 "placeLocation": {"latLng": "55.6761°, 12.5683°"}}}},
              {"startTime": "2026-01-05T08:00:00.000+01:00", "endTime": "2026-01-05T10:00:00.000+01:00",
               "visit": {"hierarchyLevel": 1, "topCandidate": {"placeLocation": {"latLng": "55.7°, 12.5683°"}}}},
              {"timelinePath": [{"point": "55.6861°, 12.5683°", "time": "2026-01-05T10:02:00.000+01:00"},
                 {"point": "55.6961°, 12.5683°", "time": "2026-01-05T10:04:00.000+01:00"}, {"point": "nowhere"}],
               "startTime": "2026-01-05T10:00:00.000+01:00", "endTime": "2026-01-05T12:00:00.000+01:00"},
              {"startTime": "2026-01-05T10:00:30.000+01:00", "endTime": "2026-01-05T10:06:00.000+01:00",
               "activity": {"start": {"latLng": "55.6771°, 12.5683°"}, "end": {"latLng": "55.7061°, 12.5683°"}}}],
             "rawSignals": [
              {"position": {"LatLng": "55.7061°, 12.5683°", "accuracyMeters": 12, "altitudeMeters": 5.5, "source": "WIFI",
                "timestamp": "2026-01-05T10:08:00.000+01:00", "speedMetersPerSecond": 0.5}},
              {"wifiScan": {"deliveryTime": "2026-01-05T10:08:00.000+01:00"}}],
             "userLocationProfile": {"frequentPlaces": []}}
            """, as: "Timeline.json")
        #expect(result.saved.inserted == 7 && result.skipped == 1)
        #expect(points.map(\.lat) == [55.6761, 55.6761, 55.6771, 55.6861, 55.6961, 55.7061, 55.7061])
        #expect(points[0].localOffset == .seconds(3_600) && points[6].hAcc == 12 && points[6].speed == 0.5)
        let journeys = try folder.reader.journeys()
        #expect(journeys.visits.map(\.duration) == [.seconds(7_200)])
        #expect(journeys.trips.count == 1 && abs(journeys.odometer - 3_340) < 10, "\(journeys.odometer)")
    }

    @Test func `Timeline of iOS is a list, with minutes since the start of a segment`() throws {
        let (_, result, points) = try imported(
            """
            [{"startTime": "2026-01-05T10:00:00.000+01:00", "endTime": "2026-01-05T12:00:00.000+01:00", "timelinePath": [
               {"point": "geo:55.5,12.25", "durationMinutesOffsetFromStartTime": "12"}]},
             {"startTime": "2026-01-05T12:00:00.000Z", "endTime": "2026-01-05T13:00:00.000Z",
               "visit": {"hierarchyLevel": "0", "topCandidate": {"placeLocation": "geo:55.6,12.25"}}}]
            """, as: "location-history.json")
        #expect(result.saved.inserted == 3 && result.skipped == 0)
        #expect(points.map(\.lat) == [55.5, 55.6, 55.6])
        #expect(points[0].timestamp == Timestamp(nanoseconds: 1_767_604_320_000_000_000))
    }

    @Test func `an import has the messages of the track's reader, with line and reason`() throws {
        let (folder, untimed, points) = try imported("lat,lon,Zeit\n55,12,14:30\n", as: "walk.csv")
        #expect(untimed.saved.inserted == 1 && untimed.skipped == 0)
        let message = "the positions have no times; unknown columns: \"Zeit\""
        #expect(untimed.warnings == ["\(folder.file("walk.csv")): \(message)"])
        #expect(points.map { $0.flags.contains(.untimed) } == [true])
        let rows = "55,12,2026-01-05T14:30:00Z\n55,\(String(repeating: "x", count: 100)),2026-01-05T14:30:01Z\n"
        let (other, partial, _) = try imported("lat,lon,time\n" + rows, as: "sail.csv")
        #expect(partial.saved.inserted == 1 && partial.skipped == 1 && partial.warnings.count == 1)
        let warning = try #require(partial.warnings.first)
        #expect(warning.hasPrefix("\(other.file("sail.csv")):3: byte "), "\(warning)")
        // Of a long value there is the start.
        let reason = String(repeating: "x", count: 60) + " is not a number for longitude; the point is skipped"
        #expect(warning.hasSuffix(": " + reason), "\(warning)")
    }

    @Test func `a recording is still one, and what is damaged is an error after what could be read`() throws {
        let folder = TemporaryDirectory()
        try folder.write("{\"version\": 1}", to: "recording.json")
        try folder.write("nothing", to: "list.json")
        #expect(ImportFormat(path: folder.file("recording.json")) == .track(.json))
        #expect(ImportFormat(path: folder.file("list.json")) == .track(.json))
        #expect(ImportFormat(path: folder.file("none.json")) == .track(.json) && ImportFormat(path: "/tmp/x") == nil)
        #expect(ImportFormat(path: folder.file("closed.json.gz")) == .track(.json))
        try folder.write(
            #"{"locations": [{"timestampMs": "1767623400123", "latitudeE7": 1, "longitudeE7": 1}, {"x": "#,
            to: "Records.json")
        #expect(throws: (any Error).self) {
            try folder.store.importPoints(folder.file("Records.json"), format: .google)
        }
        #expect(try folder.reader.count() == 1)
        for format in ImportFormat.all { #expect(ImportFormat(name: format.name) == format) }
    }

    @Test func `damaged files are errors or skipped, and never more`() throws {
        let folder = TemporaryDirectory()
        let texts = [
            (
                "a.rec",
                #"x {"_type":"location","lat":55.6761,"lon":12.5683,"tst":1767623400,"acc":8,"topic":"o/j/w"}"# + "\n"
            ),
            (
                "Records.json",
                #"{"locations":[{"timestampMs":"1767623400123","latitudeE7":556761000,"longitudeE7":125683000}]}"#
            ),
            (
                "Timeline.json",
                #"{"semanticSegments":[{"startTime":"2026-01-05T08:00:00.000+01:00","endTime":"2026-01-05T10:00:00Z","#
                    + #""timelinePath":[{"point":"55.6°, 12.5°","durationMinutesOffsetFromStartTime":"12"}]}]}"#
            ),
        ]
        var generator = SeededGenerator(seed: 18)
        for (name, text) in texts {
            let format: ImportFormat = name == "a.rec" ? .ownTracks : .google
            for _ in 0..<300 {
                try folder.write(generator.damaged(Array(text.utf8)), to: name)
                let reader = try format.reader(folder.file(name))
                var count = 0
                while let point = try? reader.next(), count < 10 {
                    #expect(point.location.coordinate.isValid)
                    count += 1
                }
            }
        }
    }
}
#endif
