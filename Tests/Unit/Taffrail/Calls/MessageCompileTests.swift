import TaffrailTestSupport
import Testing

/// Which messages the compiler accepts in asynchronous code, where a task may continue on another thread than the one
/// in whose memory a message is built.
@Suite(.mayBlock) struct MessageCompileTests {
    private static let headers = #filePath.replacing(/Tests\/[^:]*$/, with: "Sources/CTaffrail/include")

    private static let declarations = """
        import Taffrail
        func name() async -> String { "ferry" }

        """

    /// The compiler's messages for a function's body; empty if it accepts it.
    private func errors(in body: String) async throws -> String {
        let folder = TemporaryDirectory()
        let source = Self.declarations + "func run() async {\n\(body)\n}\n"
        try folder.write(source, to: "client.swift")
        let result = try await Program.run(
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-I", Program.products + "/Modules", "-I", Self.headers,
                "-module-cache-path", folder.file("modules"), folder.file("client.swift"),
            ], of: "/usr/bin/env", in: folder)
        return result.code == 0 ? "" : result.output + result.errors
    }

    @Test func `a message cannot contain awaited values`() async throws {
        let reported = try await errors(in: #"let message: LogMessage = "left \(await name())"; _ = message"#)
        #expect(reported.contains("unavailable from asynchronous contexts"))
        #expect(reported.contains("create the message in the log call, or create a String first"))
    }

    @Test func `log calls in asynchronous functions accept all kinds of messages`() async throws {
        let body = #"""
            let name = await name()
            Logger.shared.info("left \(name) at \(7)", ["name": LogValue(name)])
            Logger.shared.error("plain")
            Logger("net").log(level: .notice, "token \(name, privacy: .hash)")
            let plain: LogMessage = "plain"
            let text = LogMessage("left \(await Task { name }.value)" as String)
            await withTaskGroup { group in group.addTask { Logger.shared.info("in \(name)") } }
            _ = (plain, text)
            """#
        #expect(try await errors(in: body) == "")
    }
}
