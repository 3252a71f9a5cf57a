import TaffrailTestSupport
import Testing

@testable import TaffrailText
@testable import TaffrailTracks

@Suite struct XMLReaderTests {
    static func tokens(_ reader: consuming XMLReader) throws(ReadError) -> [String] {
        var result: [String] = []
        while true {
            switch try reader.next() {
            case .finish: return result
            case .start:
                let attributes = reader.attributes.map { name, value in
                    " \(String(decoding: name, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))"
                }
                result.append("<\(String(decoding: reader.name, as: UTF8.self))\(attributes.joined())>")
            case .end: result.append("</\(String(decoding: reader.name, as: UTF8.self))>")
            case .text: result.append(reader.string)
            }
        }
    }

    static func tokens(_ text: String) throws(ReadError) -> [String] { try tokens(XMLReader(text.utf8)) }

    static let sample = """
        \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
        <!-- a > comment -- almost -->
        <a:gpx xmlns:a="urn:x" b='1 &lt; 2 > "1"'>
          <name>Cafe &amp; &#xE4;&#228;</name><empty/><e2 x = "y" />
          <![CDATA[ <raw> & ]]>
          <?pi ?>
        </a:gpx>
        """

    @Test func `elements, attributes, texts, entities and CDATA are read`() throws {
        #expect(
            try Self.tokens(Self.sample) == [
                "<gpx a=urn:x b=1 < 2 > \"1\">", "<name>", "Cafe & ää", "</name>", "<empty>", "</empty>", "<e2 x=y>",
                "</e2>", "<raw> &", "</gpx>",
            ])
    }

    @Test(arguments: [1, 2, 5]) func `a stream in chunks is read like the whole text`(step: Int) throws {
        let whole = try Self.tokens(Self.sample)
        #expect(try Self.tokens(XMLReader(DripSource(Array(Self.sample.utf8), step: step))) == whole)
    }

    @Test(arguments: [
        "", "x", "<a>", "<a></b>", "<a></a><b/>", "<a/>x", "<a b></a>", "<a b=1/>", "<a b=\"1/>", "<a>&nbsp;</a>",
        "<a>&#0;</a>",
        "<a>&lt</a>", "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<a><b></a></b>", "</a>", "<a", "<a><!-- </a>",
        "< a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>", "<?xml version=\"1.0\" encoding='latin1'?><a/>", "<a <b/>",
        "<a><![CDATA[x</a>",
    ])
    func `a wrong text is refused`(text: String) {
        #expect(throws: ReadError.self) { try Self.tokens(text) }
    }

    /// A text in the encoding that it declares.
    static func encoded(_ name: String) -> [UInt8] {
        let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<a b=\"Größe\">Køge é</a>"
        switch name {
        case "UTF-16": return [0xFF, 0xFE] + utf16(text, isBigEndian: false)
        case "utf-16be": return utf16(text, isBigEndian: true)
        default: return text.unicodeScalars.map { UInt8($0.value) }
        }
    }

    static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for unit in text.utf16 {
            let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
            bytes += isBigEndian ? pair : pair.reversed()
        }
        return bytes
    }

    @Test(arguments: ["ISO-8859-1", "windows-1252", "UTF-16", "utf-16be"], [1, 3, 4_096])
    func `other encodings are read, in pieces too`(name: String, step: Int) throws {
        let wanted = ["<a b=Größe>", "Køge é", "</a>"]
        #expect(try Self.tokens(XMLReader(Self.encoded(name))) == wanted)
        #expect(try Self.tokens(XMLReader(DripSource(Self.encoded(name), step: step))) == wanted)
    }

    @Test func `windows-1252 has characters where ISO-8859-1 has none, and UTF-16 pairs`() throws {
        let head = Array("<?xml version='1.0' encoding='windows-1252'?><a>".utf8)
        #expect(try Self.tokens(XMLReader(head + [0x80, 0x99] + Array("</a>".utf8))) == ["<a>", "€™", "</a>"])
        let pair = [0xFE, 0xFF] + Self.utf16("<a>🚲</a>", isBigEndian: true)
        #expect(try Self.tokens(XMLReader(pair)) == ["<a>", "🚲", "</a>"])
    }

    @Test(arguments: [
        "<!DOCTYPE gpx>", "<!DOCTYPE gpx SYSTEM \"http://x/gpx.dtd\">", "<!DOCTYPE a PUBLIC '-//x > y' 'z'>",
        "<!DOCTYPE a [ <!ELEMENT a (#PCDATA)> <!-- it's > a comment ]> --> <!ATTLIST a b CDATA \">\"> ]>",
    ])
    func `a document type without entities is skipped`(type: String) throws {
        let text = "<?xml version=\"1.0\"?>\n\(type)\n<a>x</a>"
        #expect(try Self.tokens(text) == ["<a>", "x", "</a>"])
        #expect(try Self.tokens(XMLReader(DripSource(Array(text.utf8), step: 1))) == ["<a>", "x", "</a>"])
    }

    @Test(arguments: [
        "<a/><!DOCTYPE a>", "<a><!DOCTYPE a></a>", "<!DOCTYPE a [", "<!DOCTYPE a [ <!ENTITY x 'y'> ]><a/>",
    ])
    func `any other document type is refused`(text: String) {
        #expect(throws: ReadError.self) { try Self.tokens(text) }
    }

    @Test func `an error names the line`() {
        let error = #expect(throws: ReadError.self) { try Self.tokens("<a>\n<b>\n</c>\n</a>") }
        #expect(error?.line == 3 && error?.reason == "</c> instead of </b>")
        let cut = #expect(throws: ReadError.self) { try Self.tokens("<a>\n<b>text") }
        #expect(cut?.isTruncated == true && cut?.line == 2)
    }

    @Test func `nesting and lengths are limited`() {
        #expect(throws: ReadError.self) { try Self.tokens(String(repeating: "<a>", count: 300)) }
        let long = "<a>" + String(repeating: "x", count: 1_100_000) + "</a>"
        #expect(throws: ReadError.self) { try Self.tokens(long) }
        let tag = "<a b=\"" + String(repeating: "x", count: 3_000_000) + "\"/>"
        #expect(throws: ReadError.self) { try Self.tokens(XMLReader(DripSource(Array(tag.utf8), step: 60_000))) }
    }

    @Test(arguments: ["<!-- -->", "<![CDATA[x]]>", "<b/>"])
    func `the text of an element in many pieces is limited too`(separator: String) throws {
        let piece = String(repeating: "x", count: 1 << 16) + separator
        func text(_ count: Int) throws(ReadError) -> Int {
            var reader = XMLReader(("<a>" + String(repeating: piece, count: count) + "</a>").utf8)
            _ = try reader.next()
            try reader.readText()
            return reader.text.count
        }
        #expect(try text(15) >= 15 << 16)
        #expect(throws: ReadError.self) { try text(17) }
    }

    @Test func `damaged texts end in an error or in tokens, the same in pieces`() {
        var generator = SeededGenerator(seed: 81)
        let text = Array(Self.sample.utf8)
        for _ in 0..<5_000 {
            let damaged = generator.damaged(text)
            let whole = try? Self.tokens(XMLReader(damaged))
            let dripped = try? Self.tokens(XMLReader(DripSource(damaged, step: 4)))
            #expect(whole == dripped)
        }
    }
}
