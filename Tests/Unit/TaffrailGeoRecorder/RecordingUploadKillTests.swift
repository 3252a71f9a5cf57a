#if HTTP && Server && Command && Configuration
import Foundation
import Glibc
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailGeoRecorder
@testable import TaffrailRecording

/// The upload of recordings to `taffrail serve`, both of which are killed.
@Suite(.heavy, .serialized) struct RecordingUploadKillTests {
    private static func record(_ count: Int, hour: Int, in directory: String) throws {
        let session = RecordingSession(RecordingOptions(directory: directory))
        for index in 0..<count {
            let event = GeoRecorderSinkTests.location(3600 * hour + index)
            try session.take(event, received: event.location?.timestamp ?? .now, uptime: nil)
            if index % 1000 == 0 { try session.commit() }
        }
        try session.commit()
        try session.finish()
    }

    @Test func `recordings arrive whole though sender and receiver are killed between their parts`() async throws {
        let folder = TemporaryDirectory()
        let port = try freePort()
        let recordings = folder.file("recordings")
        try Self.record(25_000, hour: 0, in: recordings)
        try Self.record(500, hour: 10, in: recordings)
        try folder.write(
            """
            plugins:
              geo-recorder:
                directory: \(recordings)
                upload:
                  url: http://127.0.0.1:\(port)/recordings
                  device: car7
                  rate: 1MiB/s
                  longest_retry: 1s
                  drain: 0
            """, to: "taffrail.yaml")
        func received() -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder.file("data/recordings"))) ?? []
        }
        func arrived() -> Int {
            received().reduce(0) { $0 + Int(folder.size("data/recordings/\($1)")) }
        }
        func serve() throws -> Program {
            try Program(
                ["serve", "--bind", "127.0.0.1:\(port)", "--data", folder.file("data")], in: folder,
                output: "served", errors: "serve-errors")
        }
        var receiver = try serve()
        let names = Directory.names(in: recordings).filter(RecordingName.isOurs)
        // More than one part.
        #expect(names.contains { folder.size("recordings/\($0)") > 2 << 20 })
        func isComplete() -> Bool { Set(received()) == Set(names.map { "car7_\($0)" }) }
        var before = 0
        for round in 0..<12 where !isComplete() {
            var ends: [CInt] = [0, 0]
            try #require(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let sender = try Program(
                ["log", "info", "--stdin", "--config", folder.file("taffrail.yaml")], in: folder, errors: "errors",
                input: ends[0])
            close(ends[0])
            // It opens its sinks with the first line.
            #expect(write(ends[1], "x\n", 2) == 2)
            let wanted = before
            #expect(
                await eventually { isComplete() || arrived() > wanted },
                "\(folder.text("errors"))\(folder.text("serve-errors"))")
            before = arrived()
            sender.kill()
            close(ends[1])
            guard round % 2 == 0 else { continue }
            receiver.kill()
            receiver = try serve()
        }
        receiver.kill()
        for name in names {
            #expect(try folder.bytes("data/recordings/car7_\(name)") == folder.bytes("recordings/\(name)"))
        }
        #expect(isComplete() && names.count == 2)
    }
}
#endif
