import Testing

@testable import TaffrailText

@Suite struct ExactTextTests {
    @Test(arguments: [
        ["", "a", "b"], ["cafe\u{301}", "caf\u{E9}"], ["q\u{301}\u{323}", "q\u{323}\u{301}"],
        ["the name of a device", "the name of a devicf"],
    ])
    func `strings are equal only if their bytes are, and in the order of these`(texts: [String]) {
        for (index, text) in texts.enumerated() {
            for (other, second) in texts.enumerated() {
                #expect((ExactText(text) == ExactText(second)) == (index == other))
                #expect((ExactText(text) < ExactText(second)) == (index < other))
            }
            // The same bytes in another memory.
            #expect(ExactText(text) == ExactText(String(decoding: Array(text.utf8), as: UTF8.self)))
        }
        #expect(Set(texts.map { ExactText($0) }).count == texts.count)
    }
}
