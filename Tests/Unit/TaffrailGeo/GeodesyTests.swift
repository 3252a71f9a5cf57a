import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite(.mayBlock) struct GeodesyTests {
    @Test func `a quarter of the meridian is 10001965,729 m and a degree of the equator 111319,491 m`() {
        let equator = Coordinate(latitude: 0, longitude: 12)
        #expect(abs(Geodesy.distance(equator, Coordinate(latitude: 90, longitude: 12)) - 10_001_965.7293) < 1e-3)
        #expect(abs(Geodesy.distance(equator, Coordinate(latitude: 0, longitude: 13)) - 111_319.4908) < 1e-3)
    }

    @Test func `a longitude beyond the 180th meridian is wrapped, and one at it stays`() {
        for (longitude, wrapped) in [
            (180.0, 180.0), (-180, -180), (180.25, -179.75), (-180.25, 179.75), (360, 0), (725, 5), (-12.5, -12.5),
        ] {
            #expect(Geodesy.wrapped(longitude) == wrapped)
        }
        #expect(Geodesy.wrapped(.nan).isNaN)
    }

    @Test func `opposite places have a distance, on the equator over a pole`() {
        let line = Geodesy.line(
            from: Coordinate(latitude: 0, longitude: 0), to: Coordinate(latitude: 0, longitude: 180))
        #expect(abs(line.distance - 20_003_931.4586) < 1e-3)
        let near = Geodesy.line(
            from: Coordinate(latitude: 0, longitude: 0), to: Coordinate(latitude: 0.5, longitude: 179.7))
        // The case at which Vincenty's method does not end.
        #expect(abs(near.distance - 19_944_127.421) < 1e-2)
        #expect(near.initialBearing < 90)
    }

    @Test func `the same place is 0 m away and invalid ones are not a number`() {
        let place = Coordinate(latitude: 55.7558, longitude: 37.6173)
        #expect(Geodesy.distance(place, place) == 0)
        #expect(Geodesy.distance(place, Coordinate(latitude: 91, longitude: 0)).isNaN)
        #expect(Geodesy.distance(Coordinate(latitude: .nan, longitude: 0), place).isNaN)
        #expect(Geodesy.destination(from: place, bearing: .infinity, distance: 1).latitude.isNaN)
    }

    @Test func `bearings are clockwise from north, and 0 to 360`() {
        let place = Coordinate(latitude: 10, longitude: 20)
        #expect(Geodesy.bearing(from: place, to: Coordinate(latitude: 11, longitude: 20)) == 0)
        #expect(Geodesy.bearing(from: place, to: Coordinate(latitude: 9, longitude: 20)) == 180)
        #expect(abs(Geodesy.bearing(from: place, to: Coordinate(latitude: 10, longitude: 20.001)) - 90) < 1e-3)
        #expect(abs(Geodesy.bearing(from: place, to: Coordinate(latitude: 10, longitude: 19.999)) - 270) < 1e-3)
    }

    @Test func `the shorter direction across the antimeridian is used`() {
        let line = Geodesy.line(
            from: Coordinate(latitude: 5, longitude: 179.9999), to: Coordinate(latitude: 5, longitude: -179.9998))
        #expect(abs(line.distance - 33.27) < 0.01)
        #expect(abs(line.initialBearing - 90) < 0.01)
    }

    @Test func `following the azimuth for the length of the line leads to its end`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let start = Self.place(&generator)
            let end = Self.place(&generator)
            let line = Geodesy.line(from: start, to: end)
            let reached = Geodesy.destination(from: start, bearing: line.initialBearing, distance: line.distance)
            #expect(Geodesy.distance(reached, end) < 1e-5, "\(start) to \(end)")
        }
    }

    @Test func `short steps are measured to a micrometre`() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<2_000 {
            let start = Coordinate(
                latitude: .random(in: -89...89, using: &generator),
                longitude: .random(in: -180...180, using: &generator))
            let length = Double.random(in: 0.001...50, using: &generator)
            let end = Geodesy.destination(
                from: start, bearing: .random(in: 0..<360, using: &generator), distance: length)
            #expect(abs(Geodesy.distance(start, end) - length) < 1e-6)
        }
    }

    @Test(.enabled(if: Program.areThere("GeodSolve"), "GeodSolve is not installed (geographiclib-tools)"))
    func `distances, bearings and destinations agree with GeodSolve to less than a tenth of a millimetre`() throws {
        var generator = SeededGenerator(seed: 1)
        var pairs: [(Coordinate, Coordinate)] = []
        for index in 0..<4_000 {
            let start = Self.place(&generator)
            var end = Self.place(&generator)
            switch index % 4 {
            case 1:
                // Nearly opposite.
                end = Coordinate(
                    latitude: max(-90, min(90, -start.latitude + .random(in: -0.6...0.6, using: &generator))),
                    longitude: start.longitude + 180 + .random(in: -0.6...0.6, using: &generator))
                if end.longitude > 180 { end.longitude -= 360 }
            case 2:
                end = Coordinate(
                    latitude: max(-90, min(90, start.latitude + .random(in: -1e-4...1e-4, using: &generator))),
                    longitude: max(-180, min(180, start.longitude + .random(in: -1e-4...1e-4, using: &generator))))
            default: break
            }
            pairs.append((start, end))
        }
        // A number with an exponent would be taken for one with an E for east.
        let input = pairs.map { pair in
            var line: [UInt8] = []
            for number in [pair.0.latitude, pair.0.longitude, pair.1.latitude, pair.1.longitude] {
                line.append(real: number, exponent: false)
                line.append(" ")
            }
            return String(decoding: line, as: UTF8.self)
        }
        let result = try Program.run(["-i", "-p", "10"], of: "GeodSolve", input: input.joined(separator: "\n"))
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == pairs.count)
        var worst = 0.0
        for (pair, text) in zip(pairs, lines) {
            let numbers = text.split(separator: " ").compactMap { Double($0) }
            try #require(numbers.count == 3)
            let line = Geodesy.line(from: pair.0, to: pair.1)
            worst = max(worst, abs(line.distance - numbers[2]))
            // Two lines of a bearing's error apart by the time they have gone a radian or the whole way.
            let reach = min(numbers[2], 6_400_000)
            for (ours, theirs) in [(line.initialBearing, numbers[0]), (line.finalBearing, numbers[1])] {
                let turn = abs((ours - theirs).remainder(dividingBy: 360)) * .pi / 180
                if numbers[2] < 19_900_000 { #expect(turn * reach < 1e-3, "\(pair): \(ours), \(theirs)") }
            }
        }
        #expect(worst < 1e-4, "worst \(worst) m")
    }

    private static func place(_ generator: inout SeededGenerator) -> Coordinate {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: Coordinate(latitude: 0, longitude: .random(in: -180...180, using: &generator))
        case 1: Coordinate(latitude: [-90, 90][Int.random(in: 0...1, using: &generator)], longitude: 0)
        case 2:
            Coordinate(
                latitude: .random(in: -90...90, using: &generator),
                longitude: [-180, 180, 0][Int.random(in: 0...2, using: &generator)])
        default:
            Coordinate(
                latitude: .random(in: -90...90, using: &generator),
                longitude: .random(in: -180...180, using: &generator))
        }
    }
}
