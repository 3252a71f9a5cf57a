#if Server
import Foundation
import TaffrailTestSupport
import Testing

@testable import TaffrailReceiver

/// OpenTelemetry's own exporter, as `.ci/otlp-tools` installs it.
@Suite(.mayBlock) struct OpenTelemetryTests {
    private static let python = Repository.root.appending(path: ".build-otlp/bin/python3").path

    private static let isThere: Bool = {
        let libraries = Repository.root.appending(path: ".build-otlp/lib").path
        return (try? FileManager.default.contentsOfDirectory(atPath: libraries))?.contains { name in
            FileManager.default.fileExists(atPath: "\(libraries)/\(name)/site-packages/opentelemetry/sdk/_logs")
        } ?? false
    }()

    private static let script = """
        import logging, sys
        from opentelemetry.exporter.otlp.proto.http import Compression
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
        from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
        from opentelemetry.sdk.resources import Resource
        provider = LoggerProvider(resource=Resource.create({"service.name": "ferry"}))
        exporter = OTLPLogExporter(endpoint=sys.argv[1], compression=Compression.Gzip)
        provider.add_log_record_processor(BatchLogRecordProcessor(exporter, max_queue_size=100000))
        log = logging.getLogger("net.http")
        log.addHandler(LoggingHandler(logger_provider=provider))
        for number in range(2000):
            log.warning("record %d", number, extra={"n": number, "list": [1, 2.5, "x"]})
        try:
            1 / 0
        except Exception:
            log.exception("failed")
        provider.force_flush()
        provider.shutdown()
        """

    @Test(.enabled(if: OpenTelemetryTests.isThere, "run .ci/otlp-tools, which needs PyPI"))
    func `what OpenTelemetry's exporter for Python sends is stored whole`() async throws {
        let receiver = try await LiveReceiver()
        let result = try await Program.run(
            ["-c", Self.script, "http://127.0.0.1:\(receiver.port)/v1/logs"], of: Self.python)
        #expect(result.code == 0, "\(result.errors)")
        let records = try await receiver.records()
        #expect(records.compactMap { $0["message"] as? String } == (0..<2_000).map { "record \($0)" } + ["failed"])
        let record = try #require(records.first), attributes = try #require(record["attributes"] as? [String: Any])
        #expect(record["level"] as? String == "warning" && record["logger"] as? String == "net.http")
        #expect(attributes["n"] as? Int == 0 && (attributes["list"] as? [Any])?.count == 3)
        #expect(attributes["service.name"] as? String == "ferry" && attributes["taffrail.origin.time"] is String)
        let last = try #require(records.last?["attributes"] as? [String: Any])
        #expect(last["exception.type"] as? String == "ZeroDivisionError")
        try await receiver.stop()
    }
}
#endif
