#if Server && Store
import Foundation
import TaffrailQuery
import TaffrailStore
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReceiver

/// The query API against its own description, by a program that is not ours, as `.ci/api-tools` installs it.
@Suite(.heavy) struct SchemathesisTests {
    private static let program = Repository.root.appending(path: ".build-api/bin/schemathesis").path
    private static let examples = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 25 : 500

    /// What is checked of each answer. Not that everything which fits the description is accepted: the grammar of queries and
    /// times is beyond it, and a cursor is one that a page has had. In ASCII: other
    /// queries may be longer, percent-encoded, than the head of a request.
    private static let checks = [
        "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
        "response_schema_conformance", "negative_data_rejection", "unsupported_method", "allow_header_conformance",
    ]

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: SchemathesisTests.program),
            "run .ci/api-tools, which needs PyPI"))
    func `every request is answered as the description promises`() async throws {
        let folder = TemporaryDirectory()
        var options = ReceiverOptions()
        options.logStore = folder.file("logs.sqlite")
        options.locationStore = folder.file("track.sqlite")
        options.alerts = folder.file("alerts.json")
        try LogStore.at(folder.file("logs.sqlite")).save(RecordPool.records(500, seed: 12))
        try TrackStore.at(folder.file("track.sqlite")).open()
        let receiver = try await LiveReceiver(options)
        let url = "http://127.0.0.1:\(receiver.port)"
        let result = try await Program.run(
            [
                // It leaves files in its working directory.
                "-C", folder.path, Self.program, "run", "\(url)/api/openapi.json", "--url", url, "--checks",
                Self.checks.joined(separator: ","),
                "--phases", "examples,coverage,fuzzing", "--max-examples", "\(Self.examples)",
                "--generation-deterministic", "--generation-codec", "ascii", "--workers",
                "1", "--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure", "--no-color",
            ], of: "env", in: folder)
        #expect(result.code == 0, "\(result.output.suffix(6_000))\(result.errors.suffix(2_000))")
        try await receiver.stop()
    }
}
#endif
