#if HTTP
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailAdaptivePinger
@testable import TaffrailDelivery
@testable import TaffrailGeo
@testable import TaffrailText
@testable import TaffrailTracks

/// Drives at full speed through a pipeline into the receiver: its pings are those of the policy in another language.
@Suite(.heavy, .enabled(if: PingReceiver.isPossible, "python3 is not installed")) struct PingerDriveTests {
    private static func compare(_ fixes: [Location], faults: Int) async throws -> Int {
        let zone = try #require(TimeZoneRules("Europe/Ljubljana"), "tzdata is not installed")
        let folder = TemporaryDirectory()
        let receiver = try await PingReceiver(in: folder, faults: faults)
        var options = AdaptivePingerOptions()
        options.endpoint = receiver.endpoint
        options.deviceID = "van"
        options.longestRetry = .milliseconds(20)
        options.policy.settings.night?.timeZone = zone
        options.policy.home = fixes.first?.coordinate
        let instance = PluginInstance(name: "pinger", logDirectory: folder.path, program: "ferry")
        let sink = AdaptivePingerSink(
            options, instance: instance, feed: LocationFeed(), home: Home(), battery: { nil })
        let pipeline = Pipeline(
            sinks: [try FileSink(FileOptions(path: folder.file("app.log"))), sink],
            queue: QueueOptions(handleSignals: false))
        for fix in fixes { GeoEvent.location(fix).log(into: pipeline, isReplayed: true) }
        #expect(pipeline.flush())
        let spool = options.resolvedSpool(of: instance).directory
        #expect(await eventually { (try? SpoolInspection(spool).summary().records) == 0 })
        #expect(pipeline.shutdown())
        let expected = try PingReference(
            options.policy.settings, zone: "Europe/Ljubljana", home: options.policy.home
        ).decisions(fixes).compactMap { line -> String? in
            let words = line.split(separator: " ")
            return Int64(words[2]).map { time in
                let time = Timestamp(nanoseconds: time)
                return "\(RFC3339.string(time, decimals: time.nanoseconds % 1_000_000_000 == 0 ? 0 : 3)) \(words[0])"
            }
        }
        #expect(receiver.pings.map { "\($0.time) \($0.mode)" } == expected)
        // Each ping has one key, under which only the same is repeated, and only where the answer was lost.
        let requests = receiver.requests
        #expect(Dictionary(grouping: requests, by: \.key).values.allSatisfy { Set($0.map(\.body)).count == 1 })
        #expect(Set(requests.map(\.key)).count == expected.count)
        if faults == 0 { #expect(requests.count == expected.count) }
        return expected.count
    }

    @Test func `a generated day arrives as the reference decides, through refusals and lost answers`() async throws {
        let fixes = GeneratedDay(interval: 5).fixes
        #expect(try await Self.compare(fixes, faults: 7) > 50)
    }

    @Test(
        .enabled(if: TestData.isThere, "\(TestData.reason)"),
        arguments: ["around-visnjan-with-car.gpx", "cerknicko-jezero.gpx"])
    func `a recorded drive arrives as the reference decides`(name: String) async throws {
        let reader = try TrackFormat.gpx.reader(path: TestData.path("gpx/\(name)"))
        var fixes: [Location] = []
        while let event = try reader.next() {
            guard var fix = event.event.location else { continue }
            // The format has no accuracy.
            fix.horizontalAccuracy = fix.horizontalAccuracy ?? 8
            fixes.append(fix)
        }
        #expect(try await Self.compare(fixes, faults: 0) > 5)
    }
}
#endif
