#if Server
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailServer

/// A pipeline with one sink in memory, and what clients of it watch.
final class WatchedLog: Sendable {
    let pipeline: Pipeline
    let live: LiveRecords

    init(_ limits: LiveRecords.Limits = LiveRecords.Limits(), device: String = "") {
        pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false, handleSignals: false))
        var limits = limits
        limits.pause = .zero
        live = LiveRecords(of: pipeline, device: device, limits)
    }

    func join(_ query: String = "", after last: String? = nil, owner: Int = 0) throws -> Reader {
        let target = try #require(ServerTarget("/stream?" + query))
        let client = try LiveClient(of: live, LiveSelection(target.query), after: last, owner: .token(owner))
        return Reader(stream: try #require(client.answer.stream))
    }

    /// Logs, and waits until all of it has passed the writer.
    func log(_ messages: [String], level: Level = .info) async throws {
        for message in messages { pipeline.logger.log(level: level, "\(message)") }
        let pipeline = pipeline
        _ = try await blocking { pipeline.flush() }
    }

    func stop() async throws {
        live.end()
        let pipeline = pipeline
        _ = try await blocking { pipeline.shutdown() }
    }

    /// What a client has read.
    final class Reader {
        let stream: ServerStream
        /// All that was read.
        private(set) var text = ""

        init(stream: ServerStream) { self.stream = stream }

        /// All that was read, once a text has arrived or the stream has ended.
        func read(until wanted: String) async -> String {
            while !text.contains(wanted), let bytes = await stream.next() {
                text += String(decoding: bytes.bytes, as: UTF8.self)
            }
            return text
        }
    }

    /// The messages in a text, and what it reports about others, as `dropped`.
    static func messages(_ text: String) -> [String] {
        text.components(separatedBy: "\n\n").compactMap { event in
            if event.hasPrefix("event: dropped\n") { return "dropped" }
            guard let data = event.firstRange(of: "data: ") else { return nil }
            let json = try? JSONSerialization.jsonObject(with: Data(event[data.upperBound...].utf8))
            return (json as? [String: Any])?["message"] as? String
        }
    }

    /// The last id in a text.
    static func lastID(_ text: String) -> String? {
        text.components(separatedBy: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }
}
#endif
