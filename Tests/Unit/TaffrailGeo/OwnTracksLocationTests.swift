import Taffrail
import TaffrailGeo
import Testing

@Suite struct OwnTracksLocationTests {
    private func read(_ numbers: [String: Double], seconds: Double = 1_767_623_400) -> OwnTracksLocation {
        OwnTracksLocation(Coordinate(latitude: 1.5, longitude: -2.5), seconds: seconds) { numbers[$0] }
    }

    @Test func `values have the units of the description`() {
        let message = read(["acc": 8, "alt": -12, "vac": 4, "vel": 36, "cog": 90, "batt": 81])
        let location = message.location
        #expect(location.coordinate == Coordinate(latitude: 1.5, longitude: -2.5))
        #expect(location.timestamp == Timestamp(nanoseconds: 1_767_623_400_000_000_000))
        #expect(location.horizontalAccuracy == 8 && location.altitude == -12 && location.verticalAccuracy == 4)
        #expect(location.speed == 10 && location.course == 90 && message.battery == 0.81)
    }

    @Test func `the ends of the ranges are in them`() {
        let least = read(["acc": 0, "vel": 0, "cog": 0, "batt": 0])
        #expect(least.location.horizontalAccuracy == 0 && least.location.speed == 0 && least.location.course == 0)
        #expect(least.battery == 0)
        let most = read(["cog": 360, "batt": 100])
        #expect(most.location.course == 0 && most.battery == 1)
    }

    @Test func `a value out of its range is unknown, and so is a vertical accuracy of 0`() {
        for numbers in [
            [:], ["acc": -1, "vac": -1, "vel": -1, "cog": -1, "batt": -1], ["vac": 0, "cog": 361, "batt": 101],
        ] as [[String: Double]] {
            let message = read(numbers)
            let location = message.location
            #expect(location.horizontalAccuracy == nil && location.verticalAccuracy == nil && location.speed == nil)
            #expect(location.altitude == nil && location.course == nil && message.battery == nil)
        }
    }

    @Test func `a topic has a user and a device`() throws {
        let sender = try #require(OwnTracksLocation.sender(topic: "owntracks/jo/phone/event"))
        #expect(sender == ("jo", "phone"))
        for topic in ["", "owntracks", "owntracks/jo", "owntracks/jo/"] {
            #expect(OwnTracksLocation.sender(topic: topic) == nil)
        }
    }

    @Test func `a fraction of a second is exact to the millisecond`() {
        let time = read([:], seconds: 1_767_623_400.123).location.timestamp
        #expect(time == Timestamp(nanoseconds: 1_767_623_400_123_000_000))
        #expect(OwnTracksLocation.time(OwnTracksLocation.times.upperBound).nanoseconds == 9_000_000_000_000_000_000)
    }
}
