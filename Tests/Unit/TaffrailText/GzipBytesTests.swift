import TaffrailTestSupport
import TaffrailText
import Testing

@Suite(.mayBlock) struct GzipBytesTests {
    @Test func `gzip can be read by gzip`() throws {
        let folder = TemporaryDirectory()
        let bytes = Array(String(repeating: "left pier ", count: 10_000).utf8)
        let packed = try #require(GzipBytes.compressed(bytes))
        #expect(packed.count < bytes.count / 50)
        try folder.write(packed, to: "packed.gz")
        let result = try Program.run(["-dc", folder.file("packed.gz")], of: "gzip")
        #expect(result.code == 0 && Array(result.output.utf8) == bytes)
    }
}
