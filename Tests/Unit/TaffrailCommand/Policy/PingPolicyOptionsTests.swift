#if Configuration
import Taffrail
import TaffrailConfiguration
import TaffrailGeo
import TaffrailTestSupport
import Testing

/// The policy's options, alone in a file and as part of a configuration.
@Suite struct PingPolicyOptionsTests {
    private static func read(_ text: String) throws -> PingPolicyOptions {
        let folder = TemporaryDirectory()
        try folder.write(text, to: "a.yaml")
        var registry = try PluginRegistry([])
        try registry.addSection(PlacesOptions.section, as: PlacesOptions.self)
        do {
            return try OptionsFile.read(
                PingPolicyOptions.self, file: folder.file("a.yaml"), plugin: "pinger", registry: registry)
        } catch {
            throw Refusal(text: "\(error)".replacing(folder.path + "/", with: ""))
        }
    }

    private struct Refusal: Error { var text: String }

    @Test func `an empty file is the defaults`() throws {
        #expect(try Self.read("") == PingPolicyOptions())
        #expect(try Self.read("# nothing\n") == PingPolicyOptions())
    }

    @Test func `every setting is read`() throws {
        let options = try Self.read(
            """
            moving: { interval: 5s, distance: 10, accuracy: 3, filter: 4 }
            stationary_day: { interval: 10m }
            home_or_night: { distance: 250 }
            moving_speed: 2.5
            stopped_speed: 1
            stopped_after: 90s
            home: { latitude: 55.5, longitude: 12.5 }
            home_radius: 150
            home_hysteresis: 30
            night: { from: "23:30", to: "05:15", time_zone: Europe/Copenhagen }
            low_battery: 0.2
            heartbeat: 1h
            simulated: false
            wake: 2m
            """)
        let settings = options.settings
        #expect(settings.moving == .init(interval: .seconds(5), distance: 10, accuracy: 3, filter: 4))
        #expect(settings.stationaryDay.interval == .minutes(10) && settings.stationaryDay.distance == 50)
        #expect(settings.homeOrNight.distance == 250 && settings.homeOrNight.interval == .minutes(30))
        #expect(settings.movingSpeed == 2.5 && settings.stoppedSpeed == 1 && settings.stoppedAfter == .seconds(90))
        #expect(options.home == Coordinate(latitude: 55.5, longitude: 12.5))
        #expect(settings.homeRadius == 150 && settings.homeHysteresis == 30 && settings.lowBattery == 0.2)
        #expect(settings.night?.start == 1_410 && settings.night?.end == 315)
        #expect(settings.night?.timeZone?.name == "Europe/Copenhagen")
        #expect(settings.heartbeat == .hours(1) && !settings.simulated && settings.wake == .minutes(2))
        #expect(try Self.read("night: false").settings.night == nil)
        #expect(try Self.read("night: true").settings.night == NightWindow())
        #expect(try Self.read("moving_speed: 0.5").settings.stoppedSpeed == 0.5)
    }

    @Test func `in a configuration they are those of the plugin, with its other keys, and a home is a place`() throws {
        let options = try Self.read(
            """
            places: [{ name: pier, latitude: 1, longitude: 2, radius: 50 }]
            plugins:
              file:
              boat: { type: pinger, endpoint: "http://localhost:1/ping", home: pier, wake: 5m }
            """)
        #expect(options.home == Coordinate(latitude: 1, longitude: 2) && options.settings.wake == .minutes(5))
    }

    @Test(arguments: [
        ("wake: 2h", "a.yaml:1:7: pinger.wake: must be from 0s to 1h, not 2h"),
        ("wakes: 2m", "a.yaml:1:1: unknown key \"wakes\" in pinger; did you mean \"wake\"?"),
        ("stopped_speed: 2", "a.yaml:1:16: pinger.stopped_speed: must be from 0.0 to 1.5, not 2.0"),
        ("moving: { intervall: 5s }", "a.yaml:1:11: unknown key \"intervall\" in pinger.moving; did you mean"),
        ("low_battery: 0", "a.yaml:1:14: pinger.low_battery: must be from 0.01 to 1.0, not 0.0"),
        ("home: pier", "a.yaml:1:7: pinger.home: \"pier\" needs a list \"places\" at the top"),
        ("home: { latitude: 91, longitude: 0 }", "a.yaml:1:19: pinger.home.latitude: must be from -90 to 90, not 91"),
        ("night: { from: 25:00 }", "a.yaml:1:16: pinger.night.from: must be"),
        ("night: { to: \"22:00\" }", "a.yaml:1:14: pinger.night.to: the night must not start and end"),
        ("night: { time_zone: Mars/Base }", "a.yaml:1:21: pinger.night.time_zone: \"Mars/Base\" is not a time zone"),
        ("plugins: { file: }", "a.yaml:1:10: plugins: no instance of pinger"),
        (
            "places: []\nplugins: { pinger: { home: pier } }",
            "a.yaml:2:28: plugins.pinger.home: \"pier\" needs a list \"places\" at the top"
        ),
    ])
    func `what is wrong is reported with its place`(text: String, message: String) throws {
        let refusal = #expect(throws: Refusal.self) { try Self.read(text) }
        #expect(refusal?.text.hasPrefix(message) == true, "\(refusal?.text ?? "")")
    }

    @Test(arguments: PingSettings.settingNames) func `every setting of a sweep can be set, and nothing else`(
        name: String
    ) {
        var settings = PingSettings()
        let isDuration = ["interval", "stopped_after", "heartbeat", "wake"].contains { name.hasSuffix($0) }
        let text = isDuration ? "77s" : ["low_battery", "stopped_speed"].contains(name) ? "0.77" : "77"
        #expect(throws: Never.self) { try settings.set(name, to: text) }
        #expect(settings != PingSettings())
        for wrong in ["", "x", "-1s", "-1", isDuration ? "77" : "77s"] {
            #expect(throws: OptionError.self) { try settings.set(name, to: wrong) }
        }
        #expect(throws: OptionError.self) { try settings.set("moving", to: text) }
    }
}
#endif
