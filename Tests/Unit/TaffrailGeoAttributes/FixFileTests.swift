import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailPrivacy
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeoAttributes

/// The fix that one run saves for the next, and the parts that privacy removes.
@Suite(.mayBlock) struct FixFileTests {
    static let name = ".taffrail/geo-attributes.json"

    /// A directory in which a run has saved a fix.
    private static func folder(_ change: (inout Location) -> Void = { _ in }) throws -> TemporaryDirectory {
        let bench = try Bench()
        let running = bench.start()
        var fix = bench.fix()
        change(&fix)
        bench.publish(fix)
        running.endContexts()
        #expect(!bench.isLocated)
        return bench.folder
    }

    @Test func `the next run begins with the last fix, for its owner alone`() throws {
        let folder = try Self.folder { $0.extra.device = "/dev/ttyACM0" }
        var status = stat()
        #expect(stat(folder.file(Self.name), &status) == 0 && status.st_mode & 0o777 == 0o600)
        let bench = try Bench(folder: folder)
        bench.clock.advance(by: .minutes(59))
        bench.start()
        let record = try #require(bench.logged())
        #expect(record["geo.location.lat"] == .double(Bench.pier.latitude))
        #expect(record["taffrail.geo.device"] == "/dev/ttyACM0")
        #expect(record["taffrail.geo.time"] == .date(ManualClock().now.timestamp))
        // It is enough for refresh.
        #expect(bench.requests == 0)
    }

    @Test func `each instance has a file of its own`() {
        let paths = ["geo-attributes", "geo.bow", "geo.stern", "geo/bow", "geo bow"].map {
            FixFile(of: PluginInstance(name: $0, logDirectory: "/logs", program: "test")).path
        }
        #expect(
            paths
                == ["geo-attributes", "geo.bow", "geo.stern", "geo%2Fbow", "geo%20bow"].map {
                    "/logs/.taffrail/\($0).json"
                })
    }

    @Test func `the age of a saved fix counts from its arrival`() async throws {
        let bench = try Bench(folder: try Self.folder())
        bench.clock.advance(by: .minutes(119))
        bench.start()
        #expect(bench.isLocated && bench.requests == 1)
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: .minutes(1))
        #expect(await eventually { !bench.isLocated })
    }

    @Test func `a fix that is too old is in no file, though nothing happens`() async throws {
        let bench = try Bench()
        bench.start(GeoAttributesOptions(refresh: .minutes(10)))
        bench.publish(bench.fix())
        #expect(await eventually { !bench.folder.text(Self.name).isEmpty })
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: .minutes(20))
        #expect(await eventually { bench.folder.text(Self.name).isEmpty })
        // The program ended before; the next run deletes it.
        let later = try Bench(folder: try Self.folder())
        later.clock.advance(by: .minutes(120))
        later.start()
        #expect(await eventually { later.folder.text(Self.name).isEmpty })
    }

    @Test(arguments: [Duration.minutes(120), .minutes(-1)])
    func `a fix that is too old, or of a clock that was set back, is not used`(age: Duration) throws {
        let bench = try Bench(folder: try Self.folder())
        bench.clock.advance(by: age)
        bench.start()
        #expect(!bench.isLocated)
    }

    @Test(arguments: [
        "", "{", "[]", #"{"saved":"2026-01-05T14:30:00Z"}"#, #"{"saved":1,"attributes":{}}"#,
        #"{"saved":"2026-01-05T14:30:00Z","attributes":{"geo.location.lat":1}}"#,
        #"{"saved":"2026-01-05T14:30:00Z","attributes":{"geo.location.lat":1,"geo.location.lon":181}}"#,
        #"{"saved":"2026-01-05T14:30:00Z","attributes":{"geo.location.lat":1,"geo.location.lon":1}} x"#,
        #"{"saved":"1678-01-05T14:30:00Z","attributes":{"geo.location.lat":1,"geo.location.lon":1}}"#,
        #"{"saved":"2261-01-05T14:30:00Z","attributes":{"geo.location.lat":1,"geo.location.lon":1}}"#,
    ]) func `a file that is damaged is not used`(text: String) throws {
        let folder = try Self.folder()
        try folder.write(text, to: Self.name)
        let bench = try Bench(folder: folder)
        bench.start()
        #expect(!bench.isLocated)
        // It is replaced all the same.
        bench.publish(bench.fix())
        bench.pipeline.shutdown()
    }

    @Test func `a link in place of the file is not followed`() throws {
        let folder = try Self.folder()
        try #require(rename(folder.file(Self.name), folder.file("elsewhere")) == 0)
        try #require(symlink(folder.file("elsewhere"), folder.file(Self.name)) == 0)
        let before = folder.text("elsewhere")
        let bench = try Bench(folder: folder)
        let running = bench.start()
        #expect(!bench.isLocated)
        bench.publish(bench.fix(north: 100))
        running.endContexts()
        #expect(folder.text("elsewhere") == before && folder.text(Self.name) != before)
    }

    @Test func `a simulated fix is not saved`() throws {
        #expect(try Self.folder { $0 = $0.simulated() }.text(Self.name).isEmpty)
    }

    @Test func `removing the context deletes its file, and ending the pipeline does not`() throws {
        let bench = try Bench()
        let running = bench.start()
        bench.publish(bench.fix())
        running.endContext(named: "geo-attributes", isDiscarded: true)
        #expect(!bench.isLocated && bench.folder.text(Self.name).isEmpty)
        bench.start()
        bench.publish(bench.fix())
        bench.pipeline.shutdown()
        #expect(!bench.folder.text(Self.name).isEmpty)
    }

    @Test func `a folder that cannot be written to costs the file, not the attributes`() throws {
        let bench = try Bench()
        try bench.folder.write("in the way", to: ".taffrail")
        bench.start()
        bench.publish(bench.fix())
        #expect(bench.isLocated)
        bench.pipeline.shutdown()
    }

    // MARK: Privacy

    private static func zone(_ action: PrivacyZone.Action) -> PrivacyGuard {
        var options = PrivacyOptions()
        options.zones = [PrivacyZone(center: Bench.pier, radius: 300, action: action)]
        return PrivacyGuard(options)
    }

    @Test func `in a zone there is nothing, in records as in the file`() throws {
        let bench = try Bench(guards: [Self.zone(.drop)])
        let running = bench.start()
        bench.publish(bench.fix())
        #expect(!bench.isLocated)
        running.endContexts()
        #expect(bench.folder.text(Self.name).isEmpty)
    }

    @Test func `the saved position is as coarse as the logged one`() throws {
        let bench = try Bench(guards: [Self.zone(.coarsen)])
        let running = bench.start()
        bench.publish(bench.fix())
        let record = try #require(bench.logged())
        #expect(record["taffrail.geo.horizontal_accuracy"] == .double(450))
        running.endContexts()
        let text = bench.folder.text(Self.name)
        #expect(text.contains("450") && !text.contains("55.7412345") && !text.contains("12.6212345"))
    }

    @Test func `a place has its name in records and no coordinates, up to the edge of its zone`() async throws {
        let home = NamedPlace(name: "home", center: Bench.pier, radius: 300)
        for hasZone in [false, true] {
            let bench = try Bench(guards: hasZone ? [Self.zone(.drop)] : [])
            let running = bench.start(GeoAttributesOptions(places: [home]))
            bench.publish(bench.fix())
            #expect(
                bench.logged()?.attributes == [
                    LogValueEntry("taffrail.geo.place", "home"),
                    LogValueEntry("taffrail.geo.time", .date(bench.clock.now.timestamp)),
                ])
            // The centre is shifted by up to half the radius, and the radius as much larger.
            bench.clock.advance(by: .seconds(1))
            bench.publish(bench.fix(north: 299))
            #expect(bench.logged()?["taffrail.geo.place"] == "home")
            bench.clock.advance(by: .seconds(1))
            bench.publish(bench.fix(north: 601))
            let outside = try #require(bench.logged())
            #expect(outside["taffrail.geo.place"] == nil && outside["geo.location.lat"] != nil)
            bench.clock.advance(by: .seconds(1))
            bench.publish(bench.fix())
            running.endContexts()
            #expect(bench.folder.text(Self.name).isEmpty)
        }
    }

    // MARK: Room

    private struct Large: ContextProvider {
        let length: Int
        func publish(into slot: Pipeline.ContextSlot) {
            try? slot.publish(["cargo": .string(String(repeating: "x", count: length))])
        }
    }

    @Test func `if other providers leave little space there are coordinates and a time, or nothing`() throws {
        for (length, count) in [(380, 4), (460, 1)] {
            let bench = try Bench()
            bench.pipeline.add(Large(length: length))
            bench.start()
            var fix = bench.fix()
            fix.extra.device = "/dev/serial/by-id/usb-receiver-of-a-long-name-if00-port0"
            bench.publish(fix)
            let record = try #require(bench.logged())
            #expect(record.attributes.count == count, "\(record.attributes)")
            #expect((record["geo.location.lat"] == nil) == (record["geo.location.lon"] == nil))
        }
    }
}
