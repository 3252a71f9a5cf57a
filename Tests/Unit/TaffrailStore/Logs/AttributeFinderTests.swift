#if Store
import Taffrail
import TaffrailText
import Testing

@testable import TaffrailStore

/// The attributes that are found in the JSON of rows.
@Suite struct AttributeFinderTests {
    private func value(_ key: String, in json: [UInt8]) -> LogValue? {
        json.withUnsafeBufferPointer { AttributeFinder(key).value(in: $0) }
    }

    @Test(arguments: ["plain", "k\u{85}", "k\u{2028}", "\u{202E}k", "k\n\"\\", "ä"])
    func `a key is found, with escapes or without`(key: String) {
        let attributes = LogValue.map([LogValueEntry("before", "x"), LogValueEntry(key, 5)])
        #expect(value(key, in: attributes.json) == 5)
        // Earlier versions escaped only what JSON requires.
        let old = String(decoding: attributes.json, as: UTF8.self).replacing("\\u0085", with: "\u{85}")
            .replacing("\\u2028", with: "\u{2028}").replacing("\\u202e", with: "\u{202E}")
        #expect(value(key, in: Array(old.utf8)) == 5)
        #expect(value(key + "2", in: attributes.json) == nil)
    }
}
#endif
