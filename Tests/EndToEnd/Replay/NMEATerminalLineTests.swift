import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailTracks

@Suite(.mayBlock) struct NMEATerminalLineTests {
    /// The data available at a descriptor, without waiting.
    private static func text(in descriptor: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    @Test func `a program that opens a pseudo-terminal and does not read delays nothing, and may read later`()
        async throws
    {
        try await blocking {
            let folder = TemporaryDirectory()
            let line = try NMEATerminalLine(link: folder.file("gps"))
            defer { line.close() }
            #expect(line.listeners == 0 && line.isDrained)
            let other = open(folder.file("gps"), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            try #require(other >= 0)
            defer { close(other) }
            #expect(line.listeners == 1)
            // Far more than a terminal holds. A wait for each of them would take a quarter of an hour.
            let bytes = Array(String(repeating: "x", count: 1_022).utf8) + [13, 10]
            for _ in 0..<1_000 { try line.send(bytes) }
            // The end of a replay waits for that.
            #expect(waited { line.isDrained })
            #expect(
                try waited {
                    _ = Self.text(in: other)
                    try line.send(Array("$HELLO\r\n".utf8))
                    return Self.text(in: other).contains("$HELLO\r\n")
                })
        }
    }

    @Test func `a pseudo-terminal whose link cannot be created is closed`() throws {
        let folder = TemporaryDirectory()
        let attempts = 64
        for _ in 0..<attempts {
            let error = #expect(throws: SystemError.self) { try NMEATerminalLine(link: folder.file("none/gps")) }
            #expect(error?.isMissing == true)
        }
        // Other tests have a few open.
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let files = descriptors.compactMap { FileName.target(ofLink: "/proc/self/fd/\($0)") }
        #expect(files.count { $0.hasSuffix("/ptmx") } < attempts)
    }

    @Test func `a pseudo-terminal without a reader accepts everything, and its link is removed with it`() throws {
        let folder = TemporaryDirectory()
        let line = try NMEATerminalLine(link: folder.file("gps"))
        for _ in 0..<1_000 { try line.send([UInt8](repeating: 65, count: 1_024)) }
        #expect(line.isDrained && line.listeners == 0 && folder.names == ["gps"])
        line.close()
        #expect(folder.names.isEmpty)
    }
}
