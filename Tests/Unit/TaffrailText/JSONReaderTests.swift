import TaffrailTestSupport
import Testing

@testable import TaffrailText

@Suite struct JSONReaderTests {
    /// The tokens of a text, written out.
    static func tokens(_ reader: consuming JSONReader) throws(ReadError) -> [String] {
        var result: [String] = []
        while true {
            let token = try reader.next()
            switch token {
            case .end: return result
            case .key: result.append("\(reader.text):")
            case .string: result.append("\"\(reader.text)\"")
            case .number: result.append("\(reader.number)")
            default: result.append("\(token)")
            }
        }
    }

    static func tokens(_ text: String) throws(ReadError) -> [String] { try tokens(JSONReader(text.utf8)) }

    @Test func `every kind of token is read`() throws {
        let text = #"{"a":[1,-2.5,1e3,true,false,null,"x\n\u0041\ud83d\ude00"],"b":{},"c\t":[]}"#
        #expect(
            try Self.tokens(text) == [
                "beginObject", "a:", "beginArray", "1.0", "-2.5", "1000.0", "true", "false", "null", "\"x\nA😀\"",
                "endArray",
                "b:", "beginObject", "endObject", "c\t:", "beginArray", "endArray", "endObject",
            ])
    }

    @Test(arguments: [1, 2, 3, 7])
    func `a stream in chunks is read like the whole text`(step: Int) throws {
        let text = #" { "key one" : [ 1.25 , "täxt \" quoted" , true , {"x" : null } ] , "k" : -0.5e-3 } "#
        let whole = try Self.tokens(text)
        #expect(try Self.tokens(JSONReader(DripSource(Array(text.utf8), step: step))) == whole)
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\":1,}", "{a:1}", "[1 2]", "[01]", "[1.]", "[.5]", "[+1]", "[1e]", "[tru]", "nul",
        "\"abc",
        "\"a\u{01}\"", "\"\\x\"", "\"\\u12\"", "{} {}", "[1}", "{\"a\" 1}", "[1e999]", "]", "{\"a\":}", "[\"\\\"]",
    ])
    func `a wrong text is refused`(text: String) {
        #expect(throws: ReadError.self) { try Self.tokens(text) }
    }

    @Test func `an error names line and byte`() {
        let error = #expect(throws: ReadError.self) { try Self.tokens("{\n\"a\": 1,\n  oops}") }
        #expect(error?.line == 3)
        #expect(error?.offset == 12)
        #expect(error?.description.hasPrefix("line 3, byte 12: 'o'") == true)
    }

    @Test func `nesting is limited, and so is a single string`() {
        let deep = String(repeating: "[", count: 65)
        #expect(throws: ReadError.self) { try Self.tokens(deep) }
        let fits = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try Self.tokens(fits) }
        let long = Array("[\"\(String(repeating: "x", count: 70_000))\"]".utf8)
        #expect(throws: ReadError.self) {
            try Self.tokens(JSONReader(DripSource(long, step: 9_000), maximum: 65_536))
        }
        #expect(throws: Never.self) { try Self.tokens(JSONReader(DripSource(long, step: 9_000), maximum: 1 << 20)) }
    }

    @Test func `a string that is not UTF-8 is rejected, unless reading is lenient`() throws {
        let bytes = Array("\"a".utf8) + [0xC3, 0x28] + Array("\"".utf8)
        #expect(throws: ReadError.self) { try Self.tokens(JSONReader(bytes)) }
        #expect(try Self.tokens(JSONReader(bytes, isStrict: false)) == ["\"a\u{FFFD}(\""])
    }

    @Test func `a value can be skipped completely`() throws {
        var reader = JSONReader(#"{"a":{"b":[1,{"c":2}]},"d":7}"#.utf8)
        _ = try reader.next()
        _ = try reader.nextKey()
        try reader.skipValue()
        let hasKey = try reader.nextKey()
        let isD = reader.isText("d")
        #expect(hasKey && isD)
        #expect(try reader.optionalNumber() == 7)
    }

    @Test func `numbers are read to the nearest Double and written to read back`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            for text in [
                "\(value)", "\(value.rounded(.towardZero))",
                "\((value.magnitude.truncatingRemainder(dividingBy: 1e6)))",
            ] {
                #expect(DecimalText.double(text) == Double(text), "\(text)")
            }
            var plain: [UInt8] = []
            let small =
                value.magnitude > 1e18 || value.magnitude < 1e-18
                ? Double.random(in: -1e-5...1e-5, using: &generator) : value
            plain.append(real: small, exponent: false)
            let text = String(decoding: plain, as: UTF8.self)
            #expect(!text.contains("e") && Double(text) == small, "\(text)")
        }
    }

    @Test func `fixed decimals are rounded`() {
        func text(_ value: Double, _ decimals: Int) -> String {
            var bytes: [UInt8] = []
            bytes.append(real: value, decimals: decimals)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text(1.2345, 2) == "1.23")
        #expect(text(-0.004, 2) == "0.00")
        #expect(text(-1.5, 0) == "-2")
        #expect(text(0.05, 3) == "0.050")
        #expect(text(1e20, 1) == "100000000000000000000")
    }

    @Test func `damaged texts end in an error or in tokens, never otherwise`() {
        var generator = SeededGenerator(seed: 4)
        let text = Array(
            #"{"metadata":{"version":"1.0","duration":3600.5},"events":[{"type":"location","data":{"x":[1e-5,"\u00e4"]}}]}"#
                .utf8)
        var read = 0
        for _ in 0..<20_000 {
            let damaged = generator.damaged(text)
            if (try? Self.tokens(JSONReader(damaged))) != nil { read += 1 }
            let whole = try? Self.tokens(JSONReader(damaged))
            let dripped = try? Self.tokens(JSONReader(DripSource(damaged, step: 3)))
            #expect(whole == dripped)
        }
        #expect(read > 0)
    }

    @Test func `a text written as a string reads back`() throws {
        let text = "quote \" backslash \\ newline \n tab \t null \0 del \u{7F} ä 😀 \u{2028}"
        var bytes: [UInt8] = []
        bytes.append(json: text)
        #expect(try Self.tokens(JSONReader(bytes)) == ["\"\(text)\""])
    }

    @Test func `a text keeps its line and its direction, and reads back`() throws {
        let all = (0...0x3000).compactMap { Unicode.Scalar($0 as UInt32) }
        var text = ""
        text.unicodeScalars.append(contentsOf: all)
        text += "ä日本😀\u{10FFFF}"
        var bytes: [UInt8] = []
        bytes.append(json: text)
        let json = String(decoding: bytes, as: UTF8.self)
        for scalar in json.unicodeScalars {
            switch scalar {
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200E}"..."\u{200F}", "\u{2028}"..."\u{202E}",
                "\u{2066}"..."\u{2069}":
                Issue.record("U+\(String(scalar.value, radix: 16)) is not escaped")
            default: break
            }
        }
        #expect(json.hasSuffix("ä日本😀\u{10FFFF}\"") && json.contains("\u{A0}") && json.contains("\\u2028"))
        #expect(try Self.tokens(JSONReader(bytes)) == ["\"\(text)\""])
    }
}
