#if Configuration
import Foundation
import Glibc
import Taffrail
import TaffrailConfiguration
import TaffrailGeo
import TaffrailLocationManager
import TaffrailPrivacy
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeoAttributes

/// A whole program with positions in its records: set up in code, from a file that changes, forked and killed. Each
/// test has its own process.
@Suite(.mayBlock) struct ProgramTests {
    static let pier = Location(latitude: 55.7412345, longitude: 12.6212345)

    /// A file sink of JSON lines in a directory, which is also the program's state directory.
    private static func pipeline(in path: String) throws -> Pipeline {
        setenv("LOGS_DIRECTORY", path, 1)
        setenv("TAFFRAIL_LOCATION", "inputs", 1)
        return Pipeline(
            sinks: [try FileSink(FileOptions(path: path + "/app.log", format: .json))],
            queue: QueueOptions(handleSignals: false))
    }

    /// The attributes of a message's line.
    private static func attributes(_ folder: TemporaryDirectory, _ message: String) throws -> [String: Any]? {
        let lines = folder.text("app.log").split(separator: "\n")
        let objects = try lines.compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        let object = try #require(objects.first { $0["message"] as? String == message }, "\(lines)")
        return object["attributes"] as? [String: Any]
    }

    private static let file = ".taffrail/geo-attributes.json"

    // MARK: In code

    @Test func `a pipeline is instrumented in code, and no longer`() async throws {
        let folder = TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let pipeline = try Self.pipeline(in: path)
            pipeline.instrument { _ in }
            LocationFeed.shared.publish(.location(Self.pier))
            pipeline.logger.info("before")
            pipeline.instrument { config in
                config.location { location in
                    location.enabled(true)
                }
            }
            LocationFeed.shared.publish(.location(Self.pier))
            pipeline.logger.info("on")
            pipeline.instrument { config in config.location { $0.enabled(true) } }
            pipeline.logger.info("still on")
            pipeline.instrument { config in config.location { $0.options.refresh = .minutes(5) } }
            LocationFeed.shared.publish(.location(Self.pier))
            pipeline.logger.info("with other options")
            pipeline.instrument { config in config.location { $0.enabled(false) } }
            pipeline.logger.info("off")
            #expect(!FileManager.default.fileExists(atPath: path + "/" + Self.file))
            LocationFeed.shared.publish(.location(Self.pier))
            pipeline.logger.info("still off")
            #expect(pipeline.shutdown())
        }
        for (message, isLocated) in [
            ("before", false), ("on", true), ("still on", true), ("with other options", true),
            ("off", false), ("still off", false),
        ] {
            let latitude = try Self.attributes(folder, message)?["geo.location.lat"] as? Double
            #expect((latitude == Self.pier.coordinate.latitude) == isLocated, "\(message)")
        }
    }

    // MARK: From a file

    @Test func `a reloaded configuration turns it on and off at once`() async throws {
        let folder = TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let pipeline = try Self.pipeline(in: path)
            let configuration = path + "/taffrail.yaml"
            func write(_ text: String) throws {
                let whole = "plugins:\n  file: { path: \(path)/app.log, format: json }\n" + text
                try whole.write(toFile: configuration, atomically: true, encoding: .utf8)
            }
            try write("")
            let registry = try PluginRegistry.withFile([GeoAttributesPlugin.self, PrivacyPlugin.self])
            let plan = try Plan.read(file: configuration, registry: registry, environment: [:])
            let live = try Pipeline.start(
                plan, file: configuration, registry: registry, environment: [:], in: pipeline, watches: false)
            func step(_ message: String, _ text: String) throws {
                try write(text)
                try live.reload()
                LocationFeed.shared.publish(.location(Self.pier))
                pipeline.logger.info("\(message)")
            }
            try step("off", "")
            try step("on", "  geo-attributes:\n")
            try step("other options", "  geo-attributes: { refresh: 5m }\n")
            #expect(FileManager.default.fileExists(atPath: path + "/" + Self.file))
            try step("disabled", "  geo-attributes: { enabled: false }\n")
            #expect(!FileManager.default.fileExists(atPath: path + "/" + Self.file))
            try step("on again", "  geo-attributes:\n")
            try step(
                "at home",
                "  geo-attributes:\nprivacy: { zones: [{ latitude: 55.74, longitude: 12.62, radius: 900 }] }\n")
            try step("gone", "")
            #expect(!FileManager.default.fileExists(atPath: path + "/" + Self.file))
            await live.stop()
            #expect(pipeline.shutdown())
        }
        for (message, isLocated) in [
            ("off", false), ("on", true), ("other options", true), ("disabled", false), ("on again", true),
            ("at home", false), ("gone", false),
        ] {
            let attributes = try Self.attributes(folder, message)
            #expect((attributes?["geo.location.lat"] != nil) == isLocated, "\(message)")
            #expect((attributes?["geo.location.lon"] != nil) == isLocated, "\(message)")
        }
    }

    @Test(arguments: [
        ("{ max_age: 0s }", "2:30: plugins.geo-attributes.max_age: must be from 1s to 14d, not 0s"),
        (
            "{ source: x }",
            "2:29: plugins.geo-attributes.source: must be inputs, gpsd://HOST:PORT or nmea:SOURCE, not \"x\""
        ),
        (
            "{ geocoder: online }",
            "2:31: plugins.geo-attributes.geocoder: must be one of none, offline, nominatim, not \"online\"; "
                + "did you mean \"offline\"?"
        ),
        (
            "{ database: x.db }",
            "2:31: plugins.geo-attributes.database: has no effect without geocoder: offline or nominatim"
        ),
        (
            "{ places: [home] }",
            "2:29: plugins.geo-attributes.places: \"home\" needs a list \"places\" at the top of the configuration"
        ),
    ]) func `a mistake is reported with its location`(text: String, message: String) throws {
        let registry = try PluginRegistry.withFile([GeoAttributesPlugin.self])
        let error = #expect(throws: ConfigurationError.self) {
            try Plan.read(
                text: "plugins:\n  geo-attributes: \(text)\n  file:\n", named: "a.yaml", registry: registry,
                environment: [:])
        }
        #expect(error?.problems.map(\.description) == ["a.yaml:\(message)"])
    }

    @Test func `places are those of the list`() throws {
        let registry = try PluginRegistry.withFile([GeoAttributesPlugin.self])
        let plan = try Plan.read(
            text: """
                places: [{ name: home, latitude: 1, longitude: 2, radius: 300 }]
                plugins: { file: , geo-attributes: { refresh: 30m, places: [home], source: "gpsd://ferry" } }
                """, named: "a.yaml", registry: registry, environment: [:])
        let options = try #require(plan.plugins.lazy.compactMap { $0.plugin.options as? GeoAttributesOptions }.first)
        let home = NamedPlace(name: "home", center: Coordinate(latitude: 1, longitude: 2), radius: 300)
        #expect(
            options == GeoAttributesOptions(refresh: .minutes(30), places: [home], source: .gpsd(host: "ferry")))
        #expect(options.usedMaxAge == .hours(1))
    }

    @Test func `a configuration with a geocoder's database that is missing is rejected`() throws {
        let registry = try PluginRegistry.withFile([GeoAttributesPlugin.self])
        let prepared = try #require(registry["geo-attributes"])
        let plan = try Plan.read(
            text: "plugins: { file: , geo-attributes: { geocoder: offline, database: /nowhere/x.db } }",
            named: "a.yaml",
            registry: registry, environment: [:])
        #expect(prepared.kind == .context)
        let part = try #require(plan.plugins.first { $0.name == "geo-attributes" })
        guard case .context(let make) = part.plugin.builder else { return }
        let error = #expect(throws: OfflineGeocoder.OpenError.self) {
            try make(PluginInstance(named: "geo-attributes"))
        }
        #expect(error?.description == "open /nowhere/x.db: No such file or directory")
    }

    // MARK: Killed and forked

    @Test func `recovered records have the position of their call`() async throws {
        let folder = TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            setenv("LOGS_DIRECTORY", path, 1)
            // It does not write: the records are in the ring's file only.
            final class Shut: Sink {
                func write(_ batch: borrowing RecordBatch) throws(SinkError) { while true { pause() } }
            }
            let pipeline = Pipeline(
                sinks: [Shut(), try FileSink(FileOptions(path: path + "/app.log", format: .json))],
                queue: QueueOptions(handleSignals: false))
            let feed = LocationFeed()
            let clock = ManualClock()
            let context = GeoAttributesContext(
                GeoAttributesOptions(), file: FixFile(path + "/fix.json"),
                surroundings: .init(feed: feed, makeManager: { _ in .init(feed: feed) }), clock: clock)
            pipeline.run(contexts: [context])
            pipeline.logger.info("0")
            for n in 1...20 {
                feed.publish(.location(Location(latitude: Double(n), longitude: -Double(n))))
                pipeline.logger.info("\(n)")
                clock.advance(by: .seconds(1))
            }
            kill(getpid(), SIGKILL)
        }
        let next = Pipeline(
            sinks: [
                MemorySink(name: "sink"), try FileSink(FileOptions(path: folder.file("app.log"), format: .json)),
            ], queue: QueueOptions(handleSignals: false))
        next.logger.info("next")
        next.shutdown()
        for n in 0...20 {
            let attributes = try Self.attributes(folder, "\(n)")
            #expect(attributes?["geo.location.lat"] as? Double == (n == 0 ? nil : Double(n)), "\(n)")
            #expect(attributes?["geo.location.lon"] as? Double == (n == 0 ? nil : -Double(n)), "\(n)")
        }
        #expect(try Self.attributes(folder, "next")?["geo.location.lat"] == nil)
    }

    @Test func `a forked child keeps its parent's position, and does not touch the file`() async throws {
        let folder = TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let pipeline = try Self.pipeline(in: path)
            let running = Pipeline.Running(pipeline)
            running.start(GeoAttributesContext(), named: "geo-attributes")
            LocationFeed.shared.publish(.location(Self.pier))
            pipeline.logger.info("parent")
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            let child = fork()
            if child == 0 {
                pipeline.logger.info("child")
                running.endContext(named: "geo-attributes", isDiscarded: true)
                pipeline.logger.info("later")
                pipeline.shutdown()
                _exit(0)
            }
            #expect(Program.reap(child, 0) == .exited(0))
            running.endContexts()
            #expect(FileManager.default.fileExists(atPath: path + "/" + Self.file))
            #expect(pipeline.shutdown())
        }
        for (message, isLocated) in [("parent", true), ("child", true), ("later", false)] {
            #expect((try Self.attributes(folder, message)?["geo.location.lat"] != nil) == isLocated, "\(message)")
        }
    }
}
#endif
