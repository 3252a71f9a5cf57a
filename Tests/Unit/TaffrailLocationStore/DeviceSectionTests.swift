#if Store && Configuration && HTTP
import Taffrail
import TaffrailAdaptivePinger
import TaffrailConfiguration
import TaffrailGeoRecorder
import TaffrailHTTPRemote
import TaffrailLocationStore
import TaffrailLogStore
import TaffrailTestSupport
import Testing

/// The name of the device, once for all plugins.
@Suite struct DeviceSectionTests {
    private static func plan(_ text: String, of plugins: [any Plugin.Type]? = nil) throws -> Plan {
        let registry = try PluginRegistry.withFile(
            plugins ?? [
                LocationStorePlugin.self, LogStorePlugin.self, AdaptivePingerPlugin.self, GeoRecorderPlugin.self,
                HTTPRemotePlugin.self,
            ])
        return try Plan.read(text: text, named: "a.yaml", registry: registry, environment: [:])
    }

    private static func options<Options: PluginOptions>(_ plan: Plan) throws -> Options {
        try #require(plan.plugins.lazy.compactMap { $0.plugin.options as? Options }.first)
    }

    /// What each plugin calls the device.
    private static func names(_ text: String) throws -> [String?] {
        let plan = try plan(text)
        let (track, logs): (LocationStoreOptions, LogStoreOptions) = try (options(plan), options(plan))
        let (pinger, recorder): (AdaptivePingerOptions, GeoRecorderOptions) = try (options(plan), options(plan))
        let http: HTTPRemoteOptions = try options(plan)
        return [track.device, logs.device, pinger.deviceID, recorder.upload?.device, http.device]
    }

    private static let plugins = """
        plugins:
          location-store: { path: /x/track.sqlite }
          log-store: { path: /x/logs.sqlite }
          pinger: { endpoint: "http://127.0.0.1:1/ping" }
          geo-recorder: { directory: /x/drives, upload: "http://127.0.0.1:1/recordings" }
          http: { url: "http://127.0.0.1:1/v1/logs" }
        """

    @Test func `the device at the top is the default of each plugin`() throws {
        #expect(
            try Self.names("device: ferry 7\n" + Self.plugins) == [
                "ferry 7", "ferry 7", "ferry 7", "ferry_7", "ferry 7",
            ])
        // The order of keys does not matter.
        #expect(try Self.names(Self.plugins + "\ndevice: ferry").allSatisfy { $0 == "ferry" })
    }

    @Test func `without it, all is as before`() throws {
        #expect(try Self.names(Self.plugins) == [nil, "", nil, nil, nil])
    }

    @Test func `the options of a plugin come first`() throws {
        let own = Self.plugins.replacing("track.sqlite", with: "track.sqlite, device: a")
            .replacing("logs.sqlite", with: "logs.sqlite, device: b").replacing(
                "/ping\"", with: "/ping\", device_id: c"
            )
            .replacing(
                "\"http://127.0.0.1:1/recordings\"", with: "{ url: \"http://127.0.0.1:1/recordings\", device: d }")
        #expect(try Self.names("device: ferry\n" + own) == ["a", "b", "c", "d", "ferry"])
    }

    @Test(arguments: [
        ("\"\"", "1:9: device: must be 1 to 64 printable ASCII characters, with no space at either end"),
        ("\" ferry\"", "1:9: device: must be 1 to 64 printable ASCII characters, with no space at either end"),
        ("Fähre", "1:9: device: must be 1 to 64 printable ASCII characters, with no space at either end"),
        ("[a, b]", "1:9: device: must be text, not a list"), ("", "1:1: device: must be text, not null"),
    ]) func `a mistake is reported with its location`(name: String, message: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.plan("device: \(name)\n" + Self.plugins) }
        #expect(error?.problems.map(\.description) == ["a.yaml:\(message)"])
    }

    @Test func `a program without such plugins reports which product has the key`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.plan("device: ferry\nplugins: { file: }", of: [])
        }
        let problem = try #require(error?.problems.first)
        #expect(
            problem.description.hasPrefix("a.yaml:1:1: \"device\" is not known to this program; it comes with product"))
    }
}
#endif
