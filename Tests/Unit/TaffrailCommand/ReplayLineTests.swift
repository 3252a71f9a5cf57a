#if Command
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTracks
import Testing

@testable import TaffrailCommand

/// The output of a replay on a terminal, and shell completion.
@Suite(.mayBlock) struct ReplayLineTests {
    @Test func `a position is shown with its speed and course in the units of choice`() {
        var location = Location(latitude: 55.676123, longitude: 12.568345, timestamp: Timestamp(nanoseconds: 0))
        location.speed = 5
        location.course = 92.6
        #expect(ReplayLine.position(location, in: .metric) == "55.67612,12.56835 18.0 km/h 93°")
        #expect(ReplayLine.position(location, in: .nautical) == "55.67612,12.56835 9.7 kn 93°")
        location.speed = nil
        location.course = nil
        #expect(ReplayLine.position(location, in: .metric) == "55.67612,12.56835")
        var status = ReplayStatus()
        status.state = .playing
        let line = ReplayLine.text(status, position: "55.67612,12.56835", columns: 80)
        #expect(line == "playing 0:00:00 1x event 0 55.67612,12.56835")
    }

    @Test func `recordings are completed by name in their folder, and by path`() throws {
        let folder = TemporaryDirectory()
        mkdir(folder.file("drives"), 0o700)
        for name in ["a.json", "b.json.gz", "notes.txt", ".hidden.json"] { try folder.write("", to: "drives/" + name) }
        let words = ["taffrail", "recordings", "info", "--directory", folder.file("drives"), ""]
        #expect(RecordingNames.names(words, "") == ["a.json", "b.json.gz"])
        let paths = RecordingNames.names([], folder.path + "/")
        #expect(paths == [folder.path + "/drives/"])
        #expect(RecordingNames.names([], folder.file("drives/")).contains(folder.file("drives/a.json")))
    }
}
#endif
