#if Server
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailServer

extension Receiver {
    /// What it answers, without a connection.
    ///
    /// - Parameter client: The connection that it takes the request to come from. Default: none.
    func answer(
        _ method: String, _ target: String, headers: [(name: String, value: String)] = [], _ body: String = "",
        on client: ClientConnection? = nil
    ) async throws -> ServerAnswer {
        var request = ServerRequest(
            method, try #require(ServerTarget(target)), headers: [("host", "localhost")] + headers)
        request.connection = client
        do throws(Problem) {
            let route = try route(request)
            request.body = Array(body.utf8)
            return await route.answer(request)
        } catch {
            return error.answer
        }
    }
}

extension Receiver.Settings {
    /// Those of a receiver whose queue lies in memory.
    static var inMemory: Self {
        var settings = Self()
        settings.isDurable = false
        return settings
    }
}

extension GatedSink {
    /// A pipeline with a small queue, whose writer waits at the gate with its first record.
    static func pipeline() async throws -> (sink: GatedSink, pipeline: Pipeline) {
        let sink = GatedSink()
        let pipeline = Pipeline(
            sinks: [sink], queue: QueueOptions(capacity: 64 << 10, durable: false, handleSignals: false))
        pipeline.logger.info("first")
        _ = try await blocking { sink.waitForWriter() }
        return (sink, pipeline)
    }
}
#endif
