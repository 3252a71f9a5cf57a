import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailQuery

@Suite struct LogAPITests {
    /// Answers with what it was given, and remembers what it was asked.
    private final class Answers: LogQuery, TrackSource {
        struct State {
            var record: RecordRequest?
            var histogram: HistogramRequest?
            var values: ValuesRequest?
            var tracks: TracksRequest?
            var series: SeriesRequest?
            var error: LogQueryError?
        }
        let state = Locked(State())

        static let record: StoredRecord = {
            var record = StoredRecord(
                time: Timestamp(nanoseconds: RecordPool.start), arrival: Timestamp(nanoseconds: RecordPool.start + 5),
                level: .error,
                message: "no \"route\"\n", eventName: "net.lost", logger: "net", device: "ferry",
                attributes: [LogValueEntry("status", 500)], run: "00000000000000aa", sequence: 1 << 60)
            record.id = "00000000000000bb"
            record.coordinate = Coordinate(latitude: 55.5, longitude: -12)
            record.source = LogRecord.SourceLocation(file: "A/B.swift", function: "f()", line: 3)
            record.trace = TraceContext(traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3))
            return record
        }()

        private func check() throws(LogQueryError) { if let error = state.withLock({ $0.error }) { throw error } }

        func records(_ request: RecordRequest) throws(LogQueryError) -> RecordPage {
            try check()
            state.withLock { $0.record = request }
            return RecordPage(
                records: [Self.record], next: "00000000000000cc", reached: Timestamp(nanoseconds: RecordPool.start))
        }

        func records(
            around id: String, before: Int, after: Int, matching selection: LogSelection
        ) throws(LogQueryError) -> RecordSurroundings? {
            id == "none" ? nil : RecordSurroundings(before: [Self.record], record: Self.record, after: [])
        }

        func histogram(_ request: HistogramRequest) throws(LogQueryError) -> Histogram {
            state.withLock { $0.histogram = request }
            let bucket = Histogram.Bucket(
                time: Timestamp(nanoseconds: RecordPool.start), counts: ["info": 3, "error": 1])
            return Histogram(interval: .seconds(90), buckets: [bucket], total: 4)
        }

        func values(_ request: ValuesRequest) throws(LogQueryError) -> FieldValues {
            state.withLock { $0.values = request }
            return FieldValues(values: [FieldValues.Count(value: 500, count: 2)], distinct: 1)
        }

        func devices() throws(LogQueryError) -> [LogDevice] {
            [
                LogDevice(
                    name: "ferry", records: 3, last: Timestamp(nanoseconds: RecordPool.start),
                    coordinate: Coordinate(latitude: 1, longitude: 2), coordinateTime: Timestamp(nanoseconds: 0)),
                LogDevice(name: "", records: 1),
            ]
        }

        func journeys(_ request: TracksRequest) throws(LogQueryError) -> DeviceJourneys {
            state.withLock { $0.tracks = request }
            let (time, place) = (Timestamp(nanoseconds: 0), Coordinate(latitude: 1, longitude: 2))
            return DeviceJourneys(
                visits: [DeviceVisit(device: "ferry", coordinate: place, arrival: time, departure: time, isOpen: true)],
                trips: [
                    DeviceTrip(
                        device: "ferry", from: place, to: place, departure: time, arrival: time, distance: 12.5,
                        start: "first", end: "visit")
                ])
        }

        func series(_ request: SeriesRequest) throws(LogQueryError) -> SeriesAnswer {
            state.withLock { $0.series = request }
            var ferry = DeviceSeries(device: "ferry")
            ferry.speed = [
                DeviceSeries.Values(time: Timestamp(nanoseconds: RecordPool.start), least: 1.5, greatest: 3)
            ]
            return SeriesAnswer(devices: [ferry], interval: .milliseconds(2_500), isSampled: true)
        }

        func tracks(_ request: TracksRequest) throws(LogQueryError) -> DeviceTracks {
            state.withLock { $0.tracks = request }
            let point = DeviceTrack.Point(
                time: Timestamp(nanoseconds: 0), coordinate: Coordinate(latitude: 1, longitude: 2), speed: 3)
            return DeviceTracks(
                tracks: [DeviceTrack(device: "ferry", points: [point], total: 9)], tolerance: 20,
                since: Timestamp(nanoseconds: 1))
        }
    }

    private let answers = Answers()

    private func get(_ path: String, _ parameters: [(name: String, value: String)] = []) throws -> (
        APIAnswer, [String: Any]
    ) {
        let answers = answers
        let answer = try #require(
            LogAPI(logs: { answers }, tracks: { answers }).answer(path: path, parameters: parameters))
        let json = try JSONSerialization.jsonObject(with: Data(answer.body))
        return (answer, try #require(json as? [String: Any]))
    }

    @Test func `records are answered with the keys of JSON lines`() throws {
        let (answer, json) = try get(
            "/api/records",
            [
                ("q", "level>=warning"), ("since", "2026-01-05T14:30:00Z"), ("limit", "7"), ("order", "oldest"),
                ("cursor", "aa"),
            ])
        #expect(answer.status == 200 && answer.contentType == "application/json")
        let request = try #require(answers.state.withLock { $0.record })
        #expect(request.limit == 7 && !request.isNewestFirst && request.cursor == "aa")
        #expect("\(request.selection)" == "level>=warning since:2026-01-05T14:30:00.000000000Z")
        let record = try #require((json["records"] as? [[String: Any]])?.first)
        #expect(
            record["message"] as? String == "no \"route\"\n"
                && record["time"] as? String == "2026-01-05T14:30:00.000000000Z")
        #expect(
            record["seq"] as? String == "1152921504606846976" && record["lat"] as? Double == 55.5
                && record["line"] as? Int == 3)
        #expect((record["attributes"] as? [String: Int]) == ["status": 500] && record["arrival"] != nil)
        #expect(
            json["next"] as? String == "00000000000000cc"
                && json["reached"] as? String == "2026-01-05T14:30:00.000000000Z")
    }

    @Test func `the other paths are answered`() throws {
        #expect(((try get("/api/around", [("id", "x")]).1["before"]) as? [Any])?.count == 1)
        let histogram = try get("/api/histogram", [("by", "none"), ("interval", "90s")]).1
        #expect(histogram["interval"] as? Double == 90 && histogram["total"] as? Int == 4)
        #expect(answers.state.withLock { $0.histogram?.grouping } == nil)
        let bucket = try #require((histogram["buckets"] as? [[String: Any]])?.first)
        #expect(bucket["counts"] as? [String: Int] == ["info": 3, "error": 1])
        #expect(try get("/api/values", [("field", "status")]).1["distinct"] as? Int == 1)
        let devices = try #require(try get("/api/devices").1["devices"] as? [[String: Any]])
        #expect((devices[0]["position"] as? [String: Any])?["lat"] as? Double == 1 && devices[1]["position"] == nil)
        let tracks = try #require(
            try get("/api/tracks", [("box", "1,2,3,4"), ("zoom", "10")]).1["tracks"] as? [[String: Any]])
        #expect(tracks[0]["total"] as? Int == 9)
        let request = try #require(answers.state.withLock { $0.tracks })
        #expect(request.box?.northEast.latitude == 3 && abs(request.tolerance - 76.4) < 0.1)
        #expect(try get("/api/tracks").1["tolerance"] as? Double == 20)
    }

    @Test func `series are answered`() throws {
        let (answer, series) = try get("/api/series", [("device", "ferry"), ("buckets", "7"), ("since", "2026-01-05")])
        #expect(answer.status == 200 && series["interval"] as? Double == 2.5 && series["sampled"] as? Bool == true)
        let ferry = try #require((series["devices"] as? [[String: Any]])?.first)
        let speed = try #require((ferry["speed"] as? [[String: Any]])?.first)
        #expect(ferry["device"] as? String == "ferry" && (ferry["altitude"] as? [Any])?.isEmpty == true)
        #expect(speed["least"] as? Double == 1.5 && speed["greatest"] as? Double == 3)
        #expect(speed["time"] as? String == "2026-01-05T14:30:00.000000000Z")
        let request = try #require(answers.state.withLock { $0.series })
        #expect(request.device == "ferry" && request.buckets == 7 && request.since != nil && request.until == nil)
    }

    @Test func `visits and trips are answered`() throws {
        let visit = try #require((try get("/api/visits", [("device", "ferry")]).1["visits"] as? [[String: Any]])?.first)
        #expect(visit["open"] as? Bool == true && visit["lat"] as? Double == 1 && visit["device"] as? String == "ferry")
        #expect(answers.state.withLock { $0.tracks?.device } == "ferry")
        let trip = try #require((try get("/api/trips").1["trips"] as? [[String: Any]])?.first)
        #expect(trip["distance"] as? Double == 12.5 && trip["start"] as? String == "first")
        #expect((trip["to"] as? [String: Double]) == ["lat": 1, "lon": 2])
        #expect(try get("/api/trips", [("zoom", "5")]).0.status == 400)
    }

    @Test func `an export has the records as lines, and a cursor where it is a part of them`() throws {
        let answers = answers
        let api = LogAPI(logs: { answers })
        func export(_ parameters: [(name: String, value: String)]) throws -> APIAnswer {
            try #require(api.answer(path: "/api/export", parameters: parameters))
        }
        let lines = try export([("limit", "3"), ("order", "newest")])
        #expect(lines.contentType == "application/x-ndjson" && lines.next == "00000000000000cc")
        let text = String(decoding: lines.body, as: UTF8.self)
        #expect(text == String(repeating: String(decoding: Answers.record.json, as: UTF8.self) + "\n", count: 3))
        let request = try #require(answers.state.withLock { $0.record })
        #expect(request.limit == 1 && request.cursor == "00000000000000cc" && request.isNewestFirst)
        let table = try export([("limit", "1"), ("format", "csv")])
        #expect(
            table.contentType == "text/csv; charset=utf-8"
                && answers.state.withLock { $0.record?.isNewestFirst } == false)
        #expect(
            String(decoding: table.body, as: UTF8.self)
                == """
                time,level,device,logger,event,message,lat,lon,attributes
                2026-01-05T14:30:00.000000000Z,error,ferry,net,net.lost,"no ""route""
                ",55.5,-12.0,"{""status"":500}"

                """)
        #expect(try export([("format", "kml")]).status == 400)
    }

    @Test(
        arguments: [
            ("/api/records", "q", "level>=loud", 8), ("/api/records", "limit", "0", nil),
            ("/api/records", "limit", "+5", nil),
            ("/api/records", "order", "random", nil), ("/api/records", "since", "soon", nil),
            ("/api/records", "color", "red", nil),
            ("/api/histogram", "interval", "0s", nil), ("/api/histogram", "by", "status", nil),
            ("/api/histogram", "buckets", "9999", nil),
            ("/api/values", "field", "", nil), ("/api/around", "id", "", nil), ("/api/tracks", "box", "1,2,3", nil),
            ("/api/tracks", "box", "1,2,3,4 level:info", nil), ("/api/tracks", "zoom", "25", nil),
            ("/api/series", "buckets", "1001", nil),
            ("/api/series", "box", "1,2,3,4", nil),
            ("/api/devices", "q", "x", nil),
        ] as [(String, String, String, Int?)]) func `a wrong parameter is a problem that names it`(
            path: String, name: String, value: String, column: Int?
        ) throws
    {
        let (answer, json) = try get(path, [(name, value)])
        #expect(answer.status == 400 && answer.contentType == "application/problem+json")
        #expect(
            json["status"] as? Int == 400 && json["parameter"] as? String == name && json["column"] as? Int == column,
            "\(json)")
        #expect((json["detail"] as? String)?.isEmpty == false && (json["title"] as? String)?.isEmpty == false)
    }

    @Test func `a parameter that is given twice, an unknown record and a store that is away are problems`() throws {
        #expect(try get("/api/records", [("q", "a"), ("q", "b")]).0.status == 400)
        #expect(try get("/api/around", [("id", "none")]).0.status == 404)
        answers.state.withLock { $0.error = LogQueryError(.unavailable, "/var/lib/logs.sqlite is locked") }
        let (answer, json) = try get("/api/records")
        #expect(answer.status == 503 && answer.retryAfter == .seconds(1))
        #expect(json["title"] as? String == "Service Unavailable")
        #expect((json["detail"] as? String)?.contains("/") == false)
        answers.state.withLock { $0.error = LogQueryError(.tooLong, "10 s") }
        #expect(try get("/api/records").0.retryAfter == nil)
        answers.state.withLock { $0.error = LogQueryError(.invalid, "no cursor", parameter: "cursor") }
        #expect(try get("/api/records", [("cursor", "x")]).1["parameter"] as? String == "cursor")
        answers.state.withLock { $0.error = LogQueryError(.missing, "none") }
        #expect(try get("/api/records").0.status == 404)
        let answers = answers
        #expect(LogAPI(logs: { answers }).answer(path: "/api/tracks", parameters: [])?.status == 404)
        #expect(LogAPI(logs: { answers }).answer(path: "/api/other", parameters: []) == nil)
    }

    @Test func `the rules of alerts are answered with what is raised`() throws {
        #expect(try get("/api/alerts").0.status == 404)
        var rule = AlertRule("errors", try LogSelection(parsing: "level>=error"), .threshold(3, window: .minutes(5)))
        rule.isByDevice = true
        let raised = AlertStatus.Raised(
            id: "1a-1", device: "ferry", since: Timestamp(nanoseconds: RecordPool.start), count: 4, last: nil)
        let status = [
            AlertStatus(
                rule: rule, raised: [raised], count: 4, last: Timestamp(nanoseconds: RecordPool.start), devices: 2,
                uncounted: 0),
            AlertStatus(
                rule: AlertRule("silent", rule.selection, .silence(.seconds(90))), raised: [], devices: nil,
                uncounted: 0),
        ]
        let answers = answers
        let api = LogAPI(logs: { answers }, alerts: { status })
        let answer = try #require(api.answer(path: "/api/alerts", parameters: []))
        #expect(
            String(decoding: answer.body, as: UTF8.self) == """
                {"alerts":[{"name":"errors","query":"level>=error","level":"warning","threshold":3,"window":300.0,"count":4,\
                "last":"2026-01-05T14:30:00.000000000Z","devices":2,\
                "raised":[{"id":"1a-1","device":"ferry","since":"2026-01-05T14:30:00.000000000Z","count":4}]},\
                {"name":"silent","query":"level>=error","level":"warning","silence":90.0,"raised":[]}]}
                """)
    }

    @Test func `pages are in the order of arrival where time asks for it`() throws {
        _ = try get("/api/records", [("time", "arrival"), ("since", "2026-01-05"), ("q", "since:2026-01-04")])
        let request = try #require(answers.state.withLock { $0.record })
        #expect(request.clock == .arrival && request.arrivedSince != nil && request.arrivedUntil == nil)
        #expect(request.selection.conditions.count == 1)
        let answers = answers
        _ = LogAPI(logs: { answers }).answer(
            path: "/api/export", parameters: [("time", "origin"), ("since", "2026-01-05")])
        let other = try #require(answers.state.withLock { $0.record })
        #expect(other.clock == .origin && other.arrivedSince == nil && other.selection.conditions.count == 1)
        #expect(try get("/api/records", [("time", "mine")]).1["parameter"] as? String == "time")
    }

    @Test func `the description has every path, and every path's parameters are in it`() throws {
        let (_, json) = try get("/api/openapi.json")
        #expect((json["openapi"] as? String)?.hasPrefix("3.1") == true)
        let paths = try #require(json["paths"] as? [String: [String: [String: Any]]])
        #expect(Set(paths.keys) == Set(LogAPI.paths))
        for (path, operations) in paths {
            let get = try #require(operations["get"])
            let responses = try #require(get["responses"] as? [String: Any])
            #expect(responses["200"] != nil && responses["default"] != nil, "\(path)")
            let parameters = (get["parameters"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            // One more is refused by its name, and none of these is.
            let (answer, problem) = try self.get(
                path,
                [("unheard_of", "1")] + parameters.map { ($0, Self.sample($0, of: path)) })
            #expect(answer.status == 400 && problem["parameter"] as? String == "unheard_of", "\(path): \(problem)")
        }
    }

    private static func sample(_ name: String, of path: String) -> String {
        switch name {
        case "q": "level>=info"
        case "since", "until": "2026-01-05"
        case "order": "newest"
        case "time": "origin"
        case "by": "level"
        case "format": path == "/api/route" ? "gpx" : "csv"
        case "interval": "1m"
        case "box": "1,2,3,4"
        case "trip": "2026-01-05T14:30:00Z/2026-01-05T15:00:00Z/ferry"
        case "from", "to": "2026-01-05"
        case "zoom", "tolerance", "limit", "buckets", "before", "after": "5"
        default: "x"
        }
    }
}
