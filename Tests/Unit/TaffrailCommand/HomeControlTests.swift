import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailCommand

@Suite struct HomeControlTests {
    private let folder: TemporaryDirectory
    private let control: HomeControl
    private static let now = Timestamp(nanoseconds: 1_767_623_400_000_000_000)

    init() throws {
        folder = TemporaryDirectory()
        var control = HomeControl(folder.file("state"))
        control.home = Home()
        control.feed = LocationFeed()
        self.control = control
    }

    private func set(_ arguments: [LogValueEntry] = [], request: () throws -> Location = { throw Refusal() }) throws
        -> ControlCommand.Answer
    { try control.execute(ControlCommand("set", arguments), now: Self.now, request: request) }

    private struct Refusal: Error {}

    private func place(_ latitude: LogValue, _ longitude: LogValue) -> [LogValueEntry] {
        [LogValueEntry("latitude", latitude), LogValueEntry("longitude", longitude)]
    }

    @Test func `a home is kept for the owner alone, and restored`() throws {
        #expect(try control.execute(ControlCommand("show")).fields == [])
        let answer = try set(place(.double(-33.5), .int(151)))
        #expect(answer["from"] == "command" && answer["latitude"] == .double(-33.5))
        let home = Coordinate(latitude: -33.5, longitude: 151)
        #expect(control.home.coordinate == home && control.file.load() == home)
        let attributes = try FileManager.default.attributesOfItem(atPath: control.file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        var next = control
        next.home = Home()
        next.home.restore(from: [folder.file("state")])
        #expect(next.home.coordinate == home)
        #expect(try next.execute(ControlCommand("show"))["longitude"] == .double(151))
        _ = try control.execute(ControlCommand("clear"))
        #expect(control.home.coordinate == nil && control.file.load() == nil)
        _ = try control.execute(ControlCommand("clear"))
    }

    @Test func `a recent position is the current one, an old one is not`() throws {
        var fix = Location(latitude: 1, longitude: 2, timestamp: Timestamp(nanoseconds: Self.now.nanoseconds - 1))
        fix.horizontalAccuracy = 7
        control.feed.publish(.location(fix))
        let cached = try set()
        #expect(cached["from"] == "last position" && cached["accuracy"] == .double(7))
        fix.timestamp = Timestamp(nanoseconds: Self.now.nanoseconds - 601_000_000_000)
        control.feed.publish(.location(fix))
        #expect(throws: Refusal.self) { try set() }
        let requested = try set { Location(latitude: 3, longitude: 4) }
        #expect(requested["from"] == "requested position" && requested["accuracy"] == nil)
        #expect(control.home.coordinate == Coordinate(latitude: 3, longitude: 4))
    }

    @Test(
        arguments: [
            ("{}", nil), ("", nil), (#"{"latitude":91,"longitude":0}"#, nil), (#"{"latitude":"1","longitude":0}"#, nil),
            (#"{"latitude":1,"longitude":2.5}"#, Coordinate(latitude: 1, longitude: 2.5)),
        ] as [(String, Coordinate?)])
    func `a file that holds no home is none`(text: String, home: Coordinate?) throws {
        try FileManager.default.createDirectory(atPath: folder.file("state"), withIntermediateDirectories: true)
        try folder.write(text, to: "state/home.json")
        #expect(control.file.load() == home)
    }

    @Test func `what is wrong is refused`() throws {
        for arguments in [place(91, 0), place(0, -180.5), place("x", 0), [LogValueEntry("latitude", 1)]] {
            #expect(throws: OptionError.self) { try set(arguments) }
        }
        #expect(throws: OptionError.self) { try set([LogValueEntry("radius", 1)]) }
        #expect(throws: OptionError.self) { try control.execute(ControlCommand("move")) }
        #expect(control.home.coordinate == nil)
    }
}
