import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailQuery

@Suite struct SelectionTests {
    private static func test(_ text: String) throws -> LogTest {
        let selection = try LogSelection(parsing: text)
        try #require(selection.conditions.count == 1, "\(text)")
        #expect(!selection.conditions[0].isNegated, "\(text)")
        return selection.conditions[0].test
    }

    @Test func `the example of the documentation is parsed`() throws {
        let text = #"level>=warning logger:net "timeout" status>=500 near:55.68,12.57,500m"#
        #expect(
            try LogSelection(parsing: text).conditions.map(\.test) == [
                .level(.atLeast, .warning), .logger(["net"]), .text("timeout", isPrefix: false),
                .attribute("status", .compares(.atLeast, LogLiteral("500"))),
                .near(Coordinate(latitude: 55.68, longitude: 12.57), radius: 500),
            ])
        #expect(try LogSelection(parsing: "  \n").conditions.isEmpty)
    }

    @Test func `every condition has its form`() throws {
        let forms: [(String, LogTest)] = [
            ("level:error,crit", .levels([.error, .critical])), ("level<info", .level(.less, .info)),
            ("logger=net", .exactLogger(["net"])),
            ("device:ferry,\"a b\"*", .device([LogName("ferry"), LogName("a b", isPrefix: true)])),
            ("event:geo.*", .event([LogName("geo.", isPrefix: true)])), ("event:\"a*\"", .event([LogName("a*")])),
            ("since:2026-01-05T14:30:00Z", .since(Timestamp(nanoseconds: RecordPool.start))),
            ("until:@1767623400", .until(Timestamp(nanoseconds: RecordPool.start))),
            ("near:55,12,2.5km", .near(Coordinate(latitude: 55, longitude: 12), radius: 2_500)),
            (
                "box:55.5,12.4,55.8,12.7",
                .box(
                    CoordinateBox(
                        southWest: Coordinate(latitude: 55.5, longitude: 12.4),
                        northEast: Coordinate(latitude: 55.8, longitude: 12.7)))
            ),
            ("timeout", .text("timeout", isPrefix: false)), ("time*", .text("time", isPrefix: true)),
            (#""disk \"full\"""#, .text("disk \"full\"", isPrefix: false)), ("10:30", .text("10:30", isPrefix: false)),
            ("message~\"k fu\"", .message("k fu")), ("run:00000000000000aa", .run("00000000000000aa")),
            (
                "trace:4bf92f3577b34da6a3ce929d0e0e4736",
                .trace(TraceContext.TraceID("4bf92f3577b34da6a3ce929d0e0e4736")!)
            ),
            ("span:00f067aa0ba902b7", .span(TraceContext.SpanID("00f067aa0ba902b7")!)),
            ("user:*", .attribute("user", .exists)),
            ("user=ann,\"a,b\"", .attribute("user", .equals([LogLiteral("ann"), LogLiteral("a,b", isQuoted: true)]))),
            ("http.status!=200", .attribute("http.status", .compares(.different, LogLiteral("200")))),
            ("path~api", .attribute("path", .contains("api"))),
            ("@level=3", .attribute("level", .equals([LogLiteral("3")]))),
            ("@\"a key\">5", .attribute("a key", .compares(.greater, LogLiteral("5")))),
        ]
        for (text, test) in forms { #expect(try Self.test(text) == test, "\(text)") }
        for text in ["-logger:net", "!logger:net", "-\"disk\"", "device!=ferry", "logger!=net"] {
            #expect(try LogSelection(parsing: text).conditions[0].isNegated, "\(text)")
        }
        #expect(try !LogSelection(parsing: "-device!=ferry").conditions[0].isNegated)
    }

    @Test(arguments: [
        ("level>=loud", 8, "\"loud\" is not a level"), ("a level:", 9, "expected a value"),
        ("\"open", 1, "the quote is not closed"),
        ("near:55,12", 6, "near takes latitude"), ("near:95,12,5m", 6, "near takes"),
        ("near:55,12,0m", 6, "near takes"),
        ("box:1,2,0,4", 5, "box takes south"), ("since:soon", 7, "\"soon\" is not a time"),
        ("trace:abc", 7, "32 hexadecimal"),
        ("logger~net", 1, "logger takes : or ="), ("logger:net*", 8, "takes no *"),
        ("a\"b\"", 2, "expected a space"),
        ("x=\"a\\q\"", 5, "after \\"), ("@5=3", 1, "after @"), ("status>=", 9, "expected a value"),
        ("level~info", 1, "level takes"),
        ("status=a,,b", 10, "expected a value"), ("status=4*", 8, "a value takes no *"),
        ("*", 1, "expected a word"),
        ("ok \"\"", 4, "expected a word"),
    ]) func `an error has its column and its reason`(text: String, column: Int, reason: String) {
        let error = #expect(throws: SelectionError.self) { try LogSelection(parsing: text) }
        #expect(error?.column == column && error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func `what is too long is refused`() {
        let conditions = String(repeating: "a ", count: LogSelection.mostConditions + 1)
        #expect(throws: SelectionError.self) { try LogSelection(parsing: conditions) }
        #expect(throws: SelectionError.self) { try LogSelection(parsing: String(repeating: "a", count: 4_097)) }
        #expect(throws: SelectionError.self) {
            try LogSelection(parsing: "a=" + String(repeating: "b,", count: 65) + "b")
        }
        #expect(throws: Never.self) { try LogSelection(parsing: String(repeating: "a", count: 4_096)) }
    }

    @Test func `what is printed parses to the same selection`() throws {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<5_000 {
            let selection = LogSelection.random(using: &generator)
            let text = selection.description
            #expect(try LogSelection(parsing: text) == selection, "\(text)")
        }
    }

    @Test func `any text is parsed or refused, and what is parsed can be printed`() throws {
        var generator = SeededGenerator(seed: 22)
        let pieces = [
            "level", "logger", "since:", "near:", "box:", "status", "@", "\"", "\\", ":", "=", ">=", "!=", "~", "<",
            "*", ",", "-", "!",
            " ", "\u{301}", "日本", "500", "55.68,12.57,5m", "2026-01-05", "\n", "a", "é", "\u{0}", "\u{2028}",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                pieces.randomElement(using: &generator)!
            }.joined()
            do throws(SelectionError) {
                let selection = try LogSelection(parsing: text)
                let again = try? LogSelection(parsing: selection.description)
                #expect(again == selection, "\(text)")
            } catch {
                #expect(
                    error.column >= 1 && error.column <= text.unicodeScalars.count + 1 && !error.reason.isEmpty,
                    "\(text)")
            }
        }
    }

    // MARK: Matching

    private static func found(_ text: String, _ change: (inout StoredRecord) -> Void) throws -> Bool {
        var record = StoredRecord(
            time: Timestamp(nanoseconds: RecordPool.start), level: .warning, message: "Disk /dev/sda1 is full: Ærø")
        record.attributes = [
            LogValueEntry("status", 503), LogValueEntry("ratio", 4.5), LogValueEntry("user", "Ann"),
            LogValueEntry("ok", true),
            LogValueEntry("version", "10"), LogValueEntry("tags", ["a", 7]),
        ]
        record.logger = "net.http"
        change(&record)
        return try LogSelection(parsing: text).matches(record)
    }

    @Test(arguments: [
        "level>=warning", "level:warning,error", "-level<notice", "logger:net", "logger:net.http", "\"disk\"",
        "\"full ærø\"", "ful*",
        "\"is fu\"*", "message~\"SDA1 is\"", "status>=500", "status=503", "status=503.0", "status<504", "status!=200",
        "-status=200",
        "ratio=4.5", "ratio>4", "user=Ann", "user~nn", "user>=A", "ok=true", "version>9", "version=10",
        "version=\"10\"", "tags=a",
        "tags=7", "status:*", "-nothing:*", "-nothing=5", "since:2026-01-05T14:30:00Z", "device:\"\"",
    ]) func `a record is found`(text: String) throws {
        #expect(try Self.found(text) { _ in })
    }

    @Test(arguments: [
        "level>warning", "logger:ne", "logger=net", "\"dis\"", "\"full disk\"", "message~ærØx", "status>=504",
        "status=\"503\"",
        "status>=abc", "user=ann", "nothing!=5", "nothing<5", "ok=1", "ok>0", "version>\"9\"", "tags>6",
        "until:2026-01-05T14:30:00Z",
        "near:55,12,500m", "box:-90,-180,90,180", "device:*x", "event:\"x\"", "-\"full\"",
    ]) func `a record is not found`(text: String) throws {
        #expect(try !Self.found(text) { _ in })
    }

    @Test func `words and runs are compared by their bytes`() throws {
        for (own, other) in [("caf\u{E9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{E9}")] {
            let change: (inout StoredRecord) -> Void = { ($0.message, $0.run) = ("\(own) closed", own) }
            for form in ["%", "%*", "\"% closed\"", "\"% clos\"*", "message~%", "run:%"] {
                #expect(try Self.found(form.replacing("%", with: own), change), "\(form)")
                #expect(try !Self.found(form.replacing("%", with: other), change), "\(form)")
            }
        }
    }

    @Test func `places are found, also across the 180th meridian`() throws {
        let place: (inout StoredRecord) -> Void = { $0.coordinate = Coordinate(latitude: -17, longitude: 179.999) }
        #expect(try Self.found("near:-17,-179.999,300m", place) && !Self.found("near:-17,-179.999,200m", place))
        #expect(try Self.found("box:-18,179,-16,-179", place) && !Self.found("box:-18,-179,-16,179", place))
    }

    @Test func `a received record has what it had at its origin`() {
        var record = LogRecord(
            timestamp: Timestamp(nanoseconds: 50), sequence: 7, run: RingID(1), level: .info, message: "x")
        record.attributes = [
            LogValueEntry("taffrail.origin.time", .date(Timestamp(nanoseconds: 20))),
            LogValueEntry("taffrail.origin.run", "00000000000000ff"), LogValueEntry("taffrail.origin.seq", 3),
            LogValueEntry("taffrail.origin.device", "ferry"), LogValueEntry("device.id", "tender"),
            LogValueEntry("status", 1),
            LogValueEntry("geo.location.lat", 55.5), LogValueEntry("geo.location.lon", 12),
        ]
        let stored = StoredRecord(record, device: "me")
        #expect(stored.time.nanoseconds == 20 && stored.arrival.nanoseconds == 50 && stored.device == "ferry")
        #expect(stored.run == "00000000000000ff" && stored.sequence == 3)
        #expect(stored.attributes.map(\.key) == ["device.id", "status", "geo.location.lat", "geo.location.lon"])
        #expect(stored.coordinate == Coordinate(latitude: 55.5, longitude: 12))
        record.attributes = [LogValueEntry("taffrail.origin.run", "00000000000000ff")]
        let unnumbered = StoredRecord(record, device: "me")
        #expect(unnumbered.run == "\(RingID(1))" && unnumbered.sequence == 7 && unnumbered.device.isEmpty)
        #expect(unnumbered.attributes.map(\.key) == ["taffrail.origin.run"])
        record.attributes = [LogValueEntry("taffrail.origin.batch", "b"), LogValueEntry("taffrail.origin.seq", "9")]
        #expect(StoredRecord(record, device: "").run == "b" && StoredRecord(record, device: "").sequence == 9)
    }
}
