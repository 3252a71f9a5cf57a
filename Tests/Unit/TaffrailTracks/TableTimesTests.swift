import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailTracks

/// The times of tables: in one column or two, of unknown names, or missing.
@Suite(.mayBlock) struct TableTimesTests {
    @Test(arguments: [
        ("Date,Time", "2026/01/05,14:30:00.250"), ("utc_d,utc_t", "2026-01-05,14:30:00.25"),
        ("date;time", "05.01.2026;14:30:00.25Z"), ("Date\tTime", "20260105\t143000.25"),
        ("Date,Time", "2026.01.05,15:30:00.25+01:00"), ("Date,Time", ",2026-01-05T14:30:00.25Z"),
        ("Date,Other", "2026-01-05T14:30:00.25Z,x"),
    ])
    func `a table may have date and time in two columns`(names: String, values: String) throws {
        let separator = names.contains(";") ? ";" : names.contains("\t") ? "\t" : ","
        let reader = CSVReader("lat\(separator)lon\(separator)\(names)\n1\(separator)2\(separator)\(values)\n".utf8)
        let event = try #require(try reader.next())
        #expect(event.timestamp == SampleDrive.start + .seconds(0.25) && event.event.location?.extra.hasNoTime == nil)
    }

    @Test(arguments: ["01/05/2026,14:30:00", "2026-02-30,14:30:00", "2026-01-05,25:00", "2026-01-05,noon", ",14:30:00"])
    func `a date or a time that cannot be understood is an error`(values: String) {
        let reader = CSVReader("lat,lon,Date,Time\n1,2,\(values)\n".utf8)
        let error = #expect(throws: RecordingError.self) { try reader.next() }
        #expect(error?.line == 2)
    }

    @Test(arguments: [
        ("lat,lon,Local Time\n1,2,14:30\n", "the positions have no times; unknown columns: \"Local Time\""),
        ("lat,lon,Datum,Zeit\n1,2,5.1.,14:30\n", "the positions have no times; unknown columns: \"Datum\", \"Zeit\""),
        ("lat,lon,ts\n1,2,1767623400\n", "the positions have no times; unknown columns: \"ts\""),
        ("lat,lon,when\n1,2,noon\n", "the positions have no times; unknown columns: \"when\""),
        ("lat,lon,time,speed\n1,2,,3\n", "the positions have no times"),
        ("lat,lon\n1,2\n", "the positions have no times"),
        ("lat,lon,Date\n1,2,2026-01-05\n", "dates have no time of day, so those positions are at midnight UTC"),
        (
            "lat,lon,Date,Local Time\n1,2,2026-01-05,14:30\n",
            "dates have no time of day, so those positions are at midnight UTC; unknown columns: \"Local Time\""
        ),
    ])
    func `a table without times, or with dates alone, is reported`(table: String, warning: String) throws {
        let reader = CSVReader(table.utf8)
        #expect(try TrackTimesTests.read(reader).count == 1)
        #expect(reader.warnings.lines == ["track: " + warning])
    }

    @Test(arguments: [
        ("lat,lon,time\n1,2,2026-01-05T14:30:00Z\n1,2,\n", ["1 of 2 positions has no time"]),
        ("lat,lon,time,name\n1,2,,a\n1,3,2026-01-05T14:30:00Z,b\n1,4\n", ["2 of 3 positions have no time"]),
        (
            "lat,lon,Date,Time\n1,2,2026-01-05,14:30\n1,2,2026-01-05,\n",
            ["1 of 2 positions has a date without a time of day, which counts as midnight UTC"]
        ),
        (
            "lat,lon,Date,Time,Zeit\n1,2,,,\n1,2,2026-01-05,14:30,\n1,2,2026-01-06,,15\n1,2,2026-01-07,,\n",
            [
                "1 of 4 positions has no time",
                "2 of 4 positions have a date without a time of day, which counts as midnight UTC; "
                    + "unknown columns: \"Zeit\"",
            ]
        ),
    ])
    func `positions without a time beside others, or with a date alone, are counted`(
        table: String, warnings: [String]
    ) throws {
        let reader = CSVReader(table.utf8)
        _ = try TrackTimesTests.read(reader)
        #expect(reader.warnings.lines == warnings.map { "track: " + $0 })
    }

    @Test func `a row that is skipped is no position without a time`() throws {
        let reader = CSVReader("lat,lon,time\n1,2,2026-01-05T14:30:00Z\n1,x,\n".utf8)
        #expect(try TrackTimesTests.read(reader).count == 1)
        #expect(reader.warnings.skippedPoints == 1 && reader.warnings.messages.count == 1)
    }

    @Test(arguments: [
        "lat,lon,time,name\n1,2,2026-01-05T14:30:00Z,x\n", "lat,lon,Date,Time\n1,2,2026-01-05,14:30\n",
        "lat,lon,name\n",
    ])
    func `a table with times is not reported`(table: String) throws {
        let reader = CSVReader(table.utf8)
        _ = try TrackTimesTests.read(reader)
        #expect(reader.warnings.lines.isEmpty)
    }

    @Test(.enabled(if: Program.areThere("gpsbabel"), "gpsbabel is not installed"))
    func `gpsbabel's tables keep their times`() throws {
        let folder = TemporaryDirectory()
        try folder.write(
            "<gpx version=\"1.0\" creator=\"x\"><trk><trkseg><trkpt lat='1' lon='2'>"
                + "<time>2026-01-05T14:30:00.250Z</time></trkpt></trkseg></trk></gpx>", to: "a.gpx")
        let result = try Program.run(
            ["-t", "-i", "gpx", "-f", folder.file("a.gpx"), "-o", "unicsv", "-F", folder.file("b.csv")],
            of: "gpsbabel")
        #expect(result.code == 0)
        let events = try TrackTimesTests.read(TrackFormat.csv.reader(path: folder.file("b.csv")))
        #expect(events.map(\.timestamp) == [SampleDrive.start + .seconds(0.25)], "\(folder.text("b.csv"))")
    }
}
