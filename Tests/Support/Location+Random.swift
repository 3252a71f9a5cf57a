internal import Taffrail
package import TaffrailGeo

extension Location {
    /// A location with a random set of its fields.
    package static func random(_ generator: inout SeededGenerator) -> Location {
        func maybe(_ range: ClosedRange<Double>, _ generator: inout SeededGenerator) -> Double? {
            Bool.random(using: &generator) ? Double.random(in: range, using: &generator) : nil
        }
        var location = Location(
            latitude: .random(in: -90...90, using: &generator), longitude: .random(in: -180...180, using: &generator),
            timestamp: Timestamp(
                nanoseconds: .random(in: 330_000_000_000...2_000_000_000_000, using: &generator) * 1_000_000))
        location.altitude = maybe(-100...9_000, &generator)
        location.ellipsoidalAltitude = maybe(-100...9_000, &generator)
        location.horizontalAccuracy = maybe(0...500, &generator)
        location.verticalAccuracy = maybe(0...500, &generator)
        location.course = maybe(0...359, &generator)
        location.courseAccuracy = maybe(0...180, &generator)
        location.speed = maybe(0...100, &generator)
        location.speedAccuracy = maybe(0...20, &generator)
        if Bool.random(using: &generator) { location.floor = .random(in: -3...20, using: &generator) }
        if Bool.random(using: &generator) {
            location.sourceInformation = .init(
                isSimulatedBySoftware: .random(using: &generator), isProducedByAccessory: .random(using: &generator))
        }
        location.extra.climb = maybe(-10...10, &generator)
        location.extra.climbAccuracy = maybe(0...10, &generator)
        location.extra.geoidSeparation = maybe(-100...100, &generator)
        location.extra.hdop = maybe(0...30, &generator)
        location.extra.vdop = maybe(0...30, &generator)
        location.extra.pdop = maybe(0...30, &generator)
        if Bool.random(using: &generator) { location.extra.device = "/dev/tty\"ACM\(generator.next() % 4)" }
        if Bool.random(using: &generator) { location.extra.satellites = .random(in: 0...40, using: &generator) }
        if Bool.random(using: &generator) { location.extra.hasNoTime = true }
        return location
    }
}
