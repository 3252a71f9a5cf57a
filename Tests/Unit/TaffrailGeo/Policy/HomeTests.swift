import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo

@Suite struct HomeTests {
    @Test func `the home of an earlier run is restored once, from the first directory that has it`() throws {
        let folder = TemporaryDirectory()
        let directories = ["ring", "log", "spool"].map { folder.file($0) }
        let (first, stale) = (
            Coordinate(latitude: 55.6761, longitude: 12.5683), Coordinate(latitude: 1, longitude: 2)
        )
        let home = Home()
        home.restore(from: directories)
        #expect(home.coordinate == nil)
        try HomeFile(in: directories[1]).store(first)
        try HomeFile(in: directories[2]).store(stale)
        home.restore(from: directories)
        #expect(home.coordinate == first)
        // A sink that is created later, as by a reload, has other directories.
        home.restore(from: [directories[2]])
        #expect(home.coordinate == first)
        home.coordinate = nil
        home.restore(from: [directories[2]])
        #expect(home.coordinate == nil)
    }
}
