#if Journald && SwiftLog && Tracing
import Foundation
import InMemoryTracing
import Logging
import Taffrail
import TaffrailGPSD
import TaffrailGeo
import TaffrailGeoAttributes
import TaffrailGeoRecorder
import TaffrailJournald
import TaffrailRecording
import TaffrailSwiftLog
import TaffrailTestSupport
import TaffrailTracing
import Testing
import Tracing

/// A real receiver's log through a real gpsd into the records of a program, the lines of its libraries and its spans, and
/// these into a real journald.
@Suite(
    .mayBlock, .serialized, .enabled(if: TestData.isThere, "\(TestData.reason)"),
    .enabled(if: Program.areThere("gpsd", "gpsfake"), "gpsd is not installed (gpsd, gpsd-clients)"),
    .enabled(if: PrivateJournald.isPossible, "a private journald needs root and systemd-journald"))
struct JournaldPlacesTests {
    /// Reads lines of a file as JSON objects.
    private static func objects(_ text: String) -> [[String: Any]] {
        text.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// A country around the whole log, and a town in it.
    private static func geocoder(_ folder: TemporaryDirectory) throws -> OfflineGeocoder {
        var builder = GeocoderBuilder()
        let ring = [(50.0, 20.0), (50, 28), (60, 28), (60, 20)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
        builder.add(GeocoderBuilder.Boundary(country: "LT", rings: [ring]))
        builder.add(
            GeocoderBuilder.Place(
                name: "Harbourtown", coordinate: Coordinate(latitude: 55.8, longitude: 23.55), country: "LT"))
        try builder.write(to: folder.file("geocoder.db"))
        return try OfflineGeocoder(path: folder.file("geocoder.db"))
    }

    @Test func `a program's records have the position of gpsd's fix, in the journal as in a file`() async throws {
        let journald = try PrivateJournald("places")
        for round in 1... {
            let folder = TemporaryDirectory()
            let port = try freePort()
            // A log of a receiver that moves.
            let receiver = try Program(
                ["-1", "-c", "0.1", "-P", "\(port)", TestData.path("nmea/bt451.log")], of: "gpsfake", in: folder)
            let (identifier, memory, feed) = ("places-\(UInt32.random(in: 0 ... .max))", MemorySink(), LocationFeed())
            let pipeline = Pipeline(
                sinks: [
                    JournaldSink(
                        JournaldOptions(identifier: identifier, socket: journald.socket, patience: .hours(1)),
                        name: "journald", program: "tests", fallbackName: "memory"
                    ) { () throws(SinkError) in MemorySink(name: "fallback") },
                    try FileSink(FileOptions(path: folder.file("app.log"), format: .json)),
                    GeoRecorderSink(
                        GeoRecorderOptions(RecordingOptions(directory: folder.file("drives"))), name: "geo-recorder"),
                    memory,
                ], queue: QueueOptions(handleSignals: false))
            let context = pipeline.run(contexts: [
                GeoAttributesContext(feed: feed, file: folder.file("fix.json"), geocoder: try Self.geocoder(folder))
            ])
            pipeline.logger.info("tick 0")
            let running = pipeline.run(inputs: [GPSDInput(GPSDOptions(port: port), feed: feed)])
            let library = Logging.Logger(label: "library") { TaffrailLogHandler(label: $0, pipeline: pipeline) }
            let base = InMemoryTracer()
            let tracer = LocatedTracer(base, pipeline: pipeline, logsSpans: true)
            var count = 0
            func located() -> [LogRecord] {
                memory.records.filter { $0.eventName == nil && $0["geo.location.lat"] != nil }
            }
            let isFound = await eventually {
                count += 1
                pipeline.logger.info("tick \(count)")
                library.info("library \(count)")
                tracer.withSpan("span \(count)") { _ in }
                pipeline.drain()
                return Set(located().compactMap { $0["geo.location.lat"] }).count >= 3 || !receiver.isRunning
            }
            receiver.kill()
            await running.stop()
            await context.stop()
            pipeline.shutdown()
            let records = located()
            // On a busy machine it happens that gpsfake ends before gpsd has read anything of its log.
            if records.isEmpty && round < 3 { continue }
            #expect(isFound)
            #expect(records.count >= 3)
            // None before the first fix.
            let first = try #require(memory.records.first { $0.message == "tick 0" })
            #expect(first["geo.location.lat"] == nil)
            let positions = memory.records.filter { $0.eventName == "geo.location" }
            let lines = Dictionary(grouping: Self.objects(folder.text("app.log"))) { $0["message"] as? String ?? "" }
            func messages(where match: String) throws -> Set<String> {
                let entries = try journald.entries(where: match).filter {
                    $0.text("SYSLOG_IDENTIFIER") == identifier && $0.text("GEO_LOCATION_LON") != nil
                        && $0.text("GEO_COUNTRY_ISO_CODE") == "LT"
                }
                return Set(entries.compactMap { $0.text("MESSAGE") })
            }
            let named = try messages(where: "GEO_LOCALITY_NAME=Harbourtown")
            var messagesByLatitude: [Double: Set<String>] = [:]
            for record in records {
                // Each has a fix that came before it, whole.
                let fix = positions.last { $0["taffrail.geo.time"] == record["taffrail.geo.time"] }
                #expect(fix?["geo.location.lat"] == record["geo.location.lat"])
                #expect(fix?["geo.location.lon"] == record["geo.location.lon"])
                #expect(fix?["taffrail.geo.device"] == record["taffrail.geo.device"])
                guard case .double(let latitude)? = record["geo.location.lat"] else { continue }
                let attributes = lines[record.message]?.first?["attributes"] as? [String: Any]
                #expect(attributes?["geo.location.lat"] as? Double == latitude)
                let found = try messagesByLatitude[latitude] ?? messages(where: "GEO_LOCATION_LAT=\(latitude)")
                messagesByLatitude[latitude] = found
                #expect(found.contains(record.message) && named.contains(record.message))
            }
            // Lines of swift-log are among the records; spans have the place of their start, and so have their records.
            #expect(records.contains { $0.message.hasPrefix("library ") })
            let spans = base.finishedSpans.filter { $0.attributes["geo.location.lat"] != nil }
            #expect(!spans.isEmpty)
            for span in spans {
                #expect(span.attributes["geo.locality.name"]?.toSpanAttribute() == "Harbourtown")
                #expect(named.contains(span.operationName))
            }
            // The recorder has the positions as they came.
            let recordings = folder.recordings(in: "drives")
            #expect(recordings.map(\.eventCount).reduce(0, +) >= positions.count)
            return
        }
    }
}
#endif
