#if HTTP
import Foundation
import TaffrailTestSupport
import TaffrailText
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// Requests that are compressed with zstd.
@Suite(.mayBlock, .enabled(if: ZstdBytes.isAvailable, "libzstd is not installed"))
struct ZstdTests {
    @Test(.enabled(if: Program.areThere("zstd"), "zstd is not installed"))
    func `zstd itself decompresses a request`() async throws {
        let trial = try HTTPTrial { $0.compression = .zstd }
        try trial.write(50)
        #expect(await eventually { trial.server.requests.count == 1 })
        let request = try #require(trial.server.requests.first)
        #expect(request.headers["content-encoding"] == "zstd")
        try trial.folder.write(request.body, to: "body.zst")
        let result = try await Program.run(["-d", "-c", trial.folder.file("body.zst")], of: "zstd", in: trial.folder)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 50 && lines.last?.contains("\"seq\":50") == true)
        #expect(request.body.count < result.output.utf8.count / 4)
    }

    @Test(arguments: [415, 400])
    func `where zstd is not accepted gzip is used, and then nothing`(status: Int) async throws {
        for accepted in ["gzip", nil] {
            let trial = try HTTPTrial { $0.compression = .zstd }
            trial.server.reply { request in
                let coding = request.headers["content-encoding"]
                return coding == nil || coding == accepted ? .answer(200) : .answer(status)
            }
            func codings() -> [String] { trial.server.requests.map { $0.headers["content-encoding"] ?? "" } }
            try trial.write(3)
            let expected = accepted == nil ? ["zstd", "gzip", ""] : ["zstd", "gzip"]
            #expect(await eventually { codings() == expected })
            try trial.write(3)
            #expect(await eventually { codings() == expected + [accepted ?? ""] })
            #expect(trial.drops.isEmpty)
        }
    }
}
#endif
