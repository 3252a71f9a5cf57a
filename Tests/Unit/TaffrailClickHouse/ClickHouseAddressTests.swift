#if HTTP
import TaffrailHTTP
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailClickHouse

@Suite struct ClickHouseAddressTests {
    @Test func `addresses are read, and printed without credentials`() throws {
        let full = try ClickHouseAddress(
            parsing: "clickhouse://reader:p%40ss%2F@db.fleet:9000/fleet%20logs?table=a%60b")
        #expect(full.host == "db.fleet" && full.port == 9000 && full.database == "fleet logs" && full.table == "a`b")
        #expect(try full.credentials().user == "reader" && full.credentials().password?.text == "p@ss/")
        #expect("\(full)" == "clickhouse://db.fleet:9000/fleet logs" && full.url == "http://db.fleet:9000/")
        var text = ""
        dump(full, to: &text)
        #expect(!text.contains("p@ss"))
        let secure = try ClickHouseAddress(parsing: "clickhouses://[::1]/default")
        #expect(secure.url == "https://[::1]:8443/" && secure.table == "otel_logs" && secure.user == nil)
        #expect(try ClickHouseAddress(parsing: "clickhouse://db/default").port == 8123)
        let file = try ClickHouseAddress(parsing: "clickhouse://db/default?password_file=/run/secret")
        #expect(file.passwordFile == "/run/secret")
        #expect(throws: OptionError.self) { try file.credentials() }
    }

    @Test(arguments: [
        "http://db/default", "clickhouse://", "clickhouse://db", "clickhouse://db/", "clickhouse:///default",
        "clickhouse://db:0/default", "clickhouse://db:x/default", "clickhouse://db:+8123/default",
        "clickhouse://[]:8123/default", "clickhouse://[]/default", "clickhouse://db/default/other",
        "clickhouse://:secret@db/default",
        "clickhouse://u:%zz@db/default", "clickhouse://db/default?secret", "clickhouse://db/default?secret=secret",
        "clickhouse://u:secret@db/default?password_file=x", "clickhouse://db/default#secret",
        "clickhouse://d b/default",
    ])
    func `what is no address is refused, without its secrets`(text: String) {
        let error = #expect(throws: OptionError.self) { try ClickHouseAddress(parsing: text) }
        #expect(error?.reason.contains("secret") == false)
    }

    @Test func `keys are read as they are printed`() {
        for key in [
            RecordKey(time: .min, sequence: 0, hash: .max), RecordKey(time: 1, sequence: 2, hash: 3),
            RecordKey(time: -1, sequence: .max, hash: 0),
        ] { #expect(RecordKey(key.text) == key) }
        let upper = RecordKey(time: 0xAB, sequence: 0, hash: 0).text.uppercased()
        for text in ["", "0", upper, String(repeating: "x", count: 48), String(repeating: "Æ", count: 24)] {
            #expect(RecordKey(text) == nil)
        }
    }
}
#endif
