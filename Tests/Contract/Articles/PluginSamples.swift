import Taffrail
import TaffrailCommand

// Code of WritingAPlugin.md; `ArticleTests` compares the two. It is compiled, not run.

struct Heartbeat: Input {
    let interval: Duration

    func run(into pipeline: Pipeline) async throws {
        let logger = pipeline.logger("heartbeat")
        while true {
            logger.info("alive")
            try await Task.sleep(for: interval)
        }
    }
}

struct NoHealthChecks: Processor {
    mutating func process(_ record: inout LogRecord) -> Verdict {
        record.message == "GET /health" ? .drop : .keep
    }
}

private enum HeartbeatPlugin: Plugin {
    static func register(in registry: inout PluginRegistry) throws {}
}

private func runCommand() {
    TaffrailTool.main(plugins: [FilePlugin.self, HeartbeatPlugin.self])
}
