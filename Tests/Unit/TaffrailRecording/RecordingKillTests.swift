import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording
@testable import TaffrailText

/// Recordings of programs that are killed while they write as fast as they can, which is thousands of times as often
/// as any real one does.
@Suite(.heavy, .serialized) struct RecordingKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 40 : 1_000

    /// Kills this process after a while, from another thread, which runs on while this one is in the kernel.
    static func killSoon(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let delay = UInt64.random(in: 1_000_000...30_000_000, using: &generator)
        _ = OwnThread {
            let end = DispatchTime.now().uptimeNanoseconds + delay
            while DispatchTime.now().uptimeNanoseconds < end {}
            kill(getpid(), SIGKILL)
        }
    }

    @Test func `SIGKILL at any time leaves a complete recording with the correct count, without repair`() async throws {
        let folder = TemporaryDirectory()
        var events = 0
        for round in 0..<Self.rounds {
            let path = folder.file("\(round).json")
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
                let writer = try RecordingWriter(path: path, metadata: SampleDrive.metadata())
                RecordingKillTests.killSoon(seed: UInt64(round))
                var count = 0
                while true {
                    for _ in 0...(round % 3 == 0 ? 100 : 10) {
                        writer.append(RecordingWriterTests.event(count))
                        count += 1
                    }
                    try writer.commit()
                }
            }
            events += try RecordingWriterTests.check(path).events
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(events > 100 * Self.rounds)
    }

    @Test func `a plain write at the same offset is torn, so that the test above would notice`() async throws {
        let folder = TemporaryDirectory()
        var torn = 0
        for round in 0..<40 where torn == 0 {
            let path = folder.file("\(round)")
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
                let file = try FileDescriptor(creating: path)
                let block = [UInt8](repeating: UInt8(ascii: "e"), count: 200_000) + [UInt8(ascii: "T")]
                RecordingKillTests.killSoon(seed: UInt64(round))
                var end = 0
                while true {
                    _ = block.withUnsafeBytes { file.write(all: $0, at: Int64(end)) }
                    end += block.count - 1
                    if end > 20_000_000 { end = 0 }
                }
            }
            let bytes = try folder.bytes("\(round)")
            let end = bytes.firstIndex(of: UInt8(ascii: "T"))
            if end == nil && !bytes.isEmpty { torn += 1 }
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(torn > 0)
    }
}
