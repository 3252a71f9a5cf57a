import Taffrail
import Testing

@testable import TaffrailReading

/// What lines of other programs contain that RFC 8259 does not allow.
@Suite struct JSONLineTests {
    private func parsed(_ line: String) -> LogRecord? {
        var line = line
        return line.withUTF8 { JSONLineParser().record(UnsafeRawBufferPointer($0))?.record }
    }

    @Test func `control characters and unknown escapes are read as they are`() throws {
        let record = try #require(parsed("{\"msg\":\"a\tb\\q\\/\\u{1b}\\u{1F30A}\\u00e5\\uD83C\\uDF0A\\uD83Cx\"}"))
        #expect(record.message == "a\tbq/\u{1B}\u{1F30A}å\u{1F30A}\u{FFFD}x")
    }

    @Test func `numbers of other programs are read as Swift reads them`() throws {
        let record = try #require(parsed(#"{"a":+1,"b":007,"c":.5,"d":1.,"e":1e999,"f":9223372036854775808,"g":null}"#))
        let values = Dictionary(uniqueKeysWithValues: record.attributes.map { ($0.key, $0.value) })
        #expect(values["a"] == .int(1) && values["b"] == .int(7) && values["c"] == .double(0.5))
        #expect(values["d"] == .double(1) && values["e"] == .double(.infinity))
        #expect(values["f"] == .double(0x1p63) && values["g"] == .string("null"))
    }

    @Test(arguments: [
        "{}x", "{\"a\":}", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\u{}\"}", "{\"a\":\"b",
        "{\"a\":nul}",
        "{\"a\":-}", "{a:1}", "[1]",
    ]) func `anything else is not an object`(line: String) { #expect(parsed(line) == nil) }

    @Test func `bytes that are not UTF-8 become replacement characters`() {
        let line: [UInt8] = Array("{\"msg\":\"a".utf8) + [0xFF] + Array("b\"}".utf8)
        let record = line.withUnsafeBytes { JSONLineParser().record($0)?.record }
        #expect(record?.message == "a\u{FFFD}b")
    }
}
