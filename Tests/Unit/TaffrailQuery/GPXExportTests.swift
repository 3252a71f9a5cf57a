import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailQuery

@Suite(.mayBlock) struct GPXExportTests {
    /// A page with a next one.
    private struct Pages: LogQuery {
        let records: [StoredRecord]

        func records(_ request: RecordRequest) throws(LogQueryError) -> RecordPage {
            RecordPage(records: records, next: "00000000000000cc")
        }
        func records(
            around id: String, before: Int, after: Int, matching selection: LogSelection
        ) throws(LogQueryError) -> RecordSurroundings? { nil }
        func histogram(_ request: HistogramRequest) throws(LogQueryError) -> Histogram { Histogram(interval: .zero) }
        func values(_ request: ValuesRequest) throws(LogQueryError) -> FieldValues {
            FieldValues(values: [], distinct: 0)
        }
        func devices() throws(LogQueryError) -> [LogDevice] { [] }
    }

    @Test func `an export as GPX has a track for each device and other records as waypoints`() throws {
        var record = StoredRecord(
            time: Timestamp(nanoseconds: RecordPool.start), level: .error, message: "a < b & \"c\"\u{1}\u{FFFE}",
            eventName: "net.lost", logger: "net", device: "ferry")
        record.coordinate = Coordinate(latitude: 55.5, longitude: -12)
        var records = [record, record, record, record]
        for index in [1, 2] {
            records[index].eventName = "geo.location"
            records[index].time = Timestamp(nanoseconds: RecordPool.start + Int64(index) * 1_000_000_000)
            records[index].attributes = [
                LogValueEntry("geo.location.lat", 55.5), LogValueEntry("geo.location.lon", 180.0),
                LogValueEntry("taffrail.geo.altitude", 12.5),
            ]
            records[index].coordinate = Coordinate(latitude: 55.5, longitude: 180)
        }
        records[2].device = "tender & co"
        records[3].coordinate = nil
        let pages = Pages(records: records)
        func export(_ order: String) throws -> APIAnswer {
            try #require(
                LogAPI(logs: { pages }).answer(
                    path: "/api/export", parameters: [("format", "gpx"), ("limit", "4"), ("order", order)]))
        }
        let answer = try export("oldest")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200 && answer.contentType == "application/gpx+xml")
        #expect(answer.next == "00000000000000cc")
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Taffrail" xmlns="http://www.topografix.com/GPX/1/1">
                <wpt lat="55.5" lon="-12.0"><time>2026-01-05T14:30:00.000Z</time><name>net.lost</name><desc>a &lt; b &amp; &quot;c&quot;</desc>\
                <src>ferry</src><type>net</type></wpt>
                <trk><name>ferry</name><trkseg>
                <trkpt lat="55.5" lon="-180.0"><ele>12.5</ele><time>2026-01-05T14:30:01.000Z</time></trkpt>
                </trkseg></trk>
                <trk><name>tender &amp; co</name><trkseg>
                <trkpt lat="55.5" lon="-180.0"><ele>12.5</ele><time>2026-01-05T14:30:02.000Z</time></trkpt>
                </trkseg></trk>
                </gpx>

                """, "\(text)")
        if Program.areThere("xmllint") {
            let folder = TemporaryDirectory()
            try folder.write(answer.body, to: "a.gpx")
            let schema = TestData.isThere ? ["--schema", TestData.path("schema/gpx11.xsd")] : []
            let result = try Program.run(["--noout"] + schema + [folder.file("a.gpx")], of: "xmllint")
            #expect(result.code == 0, "\(result.errors)")
        }
    }

    @Test func `tracks are in the order of time, also where the newest records come first`() throws {
        let fixes = (0..<3).map { index in
            var fix = StoredRecord(
                time: Timestamp(nanoseconds: RecordPool.start - Int64(index) * 1_000_000_000), level: .info,
                message: "",
                eventName: "geo.location", device: "ferry")
            fix.coordinate = Coordinate(latitude: Double(index), longitude: 0)
            return fix
        }
        let pages = Pages(records: fixes)
        let answer = try #require(
            LogAPI(logs: { pages }).answer(
                path: "/api/export", parameters: [("format", "gpx"), ("limit", "3"), ("order", "newest")]))
        let text = String(decoding: answer.body, as: UTF8.self)
        let latitudes = text.matches(of: /lat="([0-9])\.0"/).map { String($0.1) }
        #expect(latitudes == ["2", "1", "0"])
    }
}
