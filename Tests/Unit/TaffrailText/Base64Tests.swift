import TaffrailText
import Testing

@Suite struct Base64Tests {
    @Test func `base64 is that of the standard`() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"]
        #expect(
            texts.map { Base64.encoded($0.utf8) } == [
                "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
            ])
        for text in texts { #expect(Base64.decoded(Base64.encoded(text.utf8).utf8) == Array(text.utf8)) }
        #expect(Base64.encoded([251, 255, 254]) == "+//+")
    }
}
