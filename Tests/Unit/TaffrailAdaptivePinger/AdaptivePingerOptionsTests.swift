#if HTTP && Configuration
import Foundation
import Taffrail
import TaffrailConfiguration
import TaffrailDelivery
import TaffrailGeo
import TaffrailTesting
import Testing

@testable import TaffrailAdaptivePinger

@Suite struct AdaptivePingerOptionsTests {
    /// Reads the options as a configuration has them; the problems otherwise.
    private static func read(_ text: String) throws -> (options: AdaptivePingerOptions?, problems: [String]) {
        let registry = try PluginRegistry([AdaptivePingerPlugin.self])
        do throws(ConfigurationError) {
            let whole =
                "places: [{ name: pier, latitude: 55, longitude: 12, radius: 50 }]\nplugins: { pinger: { \(text) } }"
            let plan = try Plan.read(text: whole, named: "a", registry: registry, environment: [:])
            return (plan.plugins.first?.plugin.options as? AdaptivePingerOptions, [])
        } catch {
            return (nil, error.problems.map(\.message))
        }
    }

    @Test func `nothing is required`() throws {
        let options = try #require(try Self.read("").options)
        #expect(options == AdaptivePingerOptions())
        #expect(options.endpoint == "http://localhost:8787/ping" && options.dialect == .ping)
        #expect(options.spool.size == .mebibytes(16) && options.policy.settings == PingSettings())
    }

    @Test func `the options of the pinger, of the policy and of HTTP lie side by side`() throws {
        let (options, problems) = try Self.read(
            "endpoint: 'https://a/b', token: x, moving: { interval: 5s }, home: pier, dialect: overland, device_id: van, "
                + "receiver: /dev/gps, spool: { size: 1MiB, when_full: hold }, tls: { insecure: true }")
        #expect(problems == [])
        #expect(options?.policy.settings.moving.interval == .seconds(5))
        #expect(options?.policy.home == Coordinate(latitude: 55, longitude: 12))
        #expect(options?.spool.whenFull == .hold && options?.tls.insecure == true && options?.deviceID == "van")
    }

    @Test(arguments: [
        ("endpoint: ftp://a", "must start with https:// or http://"),
        ("dialect: morse", "must be one of ping, owntracks"),
        ("spool: { when_full: drop_newest }", "the newest ping counts most"),
        ("device_id: ''", "must be printable ASCII and not empty"),
        ("topic_user: ''", "must be printable ASCII and not empty"),
        ("night: { from: noon }", "must be a time of day"),
        ("endpoint: 'http://a:70000/'", "port must be from 1 to 65535"),
        ("token: a, token_file: b", "only one of token"), ("heartbeat: 1ms", "heartbeat"),
        ("home: nowhere", "no place is named"),
    ])
    func `one problem is one message`(text: String, message: String) throws {
        let (_, problems) = try Self.read(text)
        #expect(problems.count == 1 && problems.first?.contains(message) == true, "\(problems)")
    }

    @Test func `an unknown key is reported`() throws {
        let (_, problems) = try Self.read("endpont: x")
        #expect(problems.count == 1 && problems.first?.contains("did you mean") == true, "\(problems)")
    }
}
#endif
