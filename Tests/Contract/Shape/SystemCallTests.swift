import Foundation
import TaffrailTestSupport
import Testing

/// The system's library is imported where the system is called, and nowhere else.
@Suite struct SystemCallTests {
    /// Folders and files above the core that may import it, and the reason.
    private static let allowed: [(path: String, use: String)] = [
        ("Sources/TaffrailTransport/", "sockets"),
        ("Sources/TaffrailCommand/", "terminals, signals, programs"),
        ("Sources/TaffrailTracks/Editing/", "mathematics"),
        ("Sources/TaffrailTracks/Output/", "sockets, pseudo-terminals"),
        ("Sources/TaffrailTracks/Replay/ReplayTimer.swift", "waits with absolute deadlines"),
        ("Sources/TaffrailGeo/Geocoding/OfflineGeocoder.swift", "mathematics"),
        ("Sources/TaffrailGeo/Geodesy/", "mathematics"),
        ("Sources/TaffrailGeo/Location/GeoAttributes.swift", "memcmp, for each attribute"),
        ("Sources/TaffrailReading/Files/LineReader.swift", "memchr, for each line"),
        ("Sources/TaffrailReading/Files/StreamLines.swift", "streams that wait"),
        ("Sources/TaffrailReading/Tail/LineFilter.swift", "regular expressions"),
        ("Sources/TaffrailReading/Tail/DirectoryWatch.swift", "events of files"),
        ("Sources/TaffrailReading/Tail/LogTail.swift", "waits"),
        ("Sources/TaffrailRecording/RecordingMetadata+Device.swift", "the machine's name"),
        ("Sources/TaffrailConfiguration/ConfigurationPath.swift", "the environment"),
        ("Sources/TaffrailConfiguration/ConfigurationWatch.swift", "events of files"),
        ("Sources/TaffrailConfiguration/WatchedDirectories.swift", "events of files"),
        ("Plugins/Sinks/Console/ConsoleStream.swift", "terminals"),
        ("Sources/TaffrailHTTP/HTTPFailure.swift", "errors of connections"),
        ("Sources/TaffrailServer/HTTP/UnsentLimit.swift", "an option of sockets"),
        ("Plugins/Sinks/Journald/JournalSocket.swift", "sockets"),
    ]

    /// All Swift files of libraries, command and plugins: their paths and texts.
    private static func sources() throws -> [(path: String, text: String)] {
        var found: [(path: String, text: String)] = []
        for folder in ["Sources", "Plugins"] {
            let paths = FileManager.default.enumerator(atPath: Repository.root.appending(path: folder).path)
            while let path = paths?.nextObject() as? String {
                guard path.hasSuffix(".swift") else { continue }
                let file = "\(folder)/\(path)"
                found.append((file, try String(contentsOf: Repository.root.appending(path: file), encoding: .utf8)))
            }
        }
        return found
    }

    @Test func `in the core only System imports Glibc, above it only targets that need the system itself`() throws {
        let files = try Self.sources().filter { $0.text.contains("import Glibc\n") }.map(\.path)
        #expect(files.count > 20)
        for file in files where !file.hasPrefix("Sources/Taffrail/System/") {
            #expect(Self.allowed.contains { file.hasPrefix($0.path) }, "\(file)")
        }
        for (path, use) in Self.allowed where !files.contains(where: { $0.hasPrefix(path) }) {
            Issue.record("nothing imports Glibc for \(use) in \(path): take it off the list")
        }
    }

    @Test func `values are protected by the one mutex that the ThreadSanitizer understands`() throws {
        let other = /\bMutex[<(]|\bNSLock\b/
        for (path, text) in try Self.sources() where path != "Sources/Taffrail/System/Locked.swift" {
            #expect(!text.contains(other), "\(path): use Locked")
        }
    }
}
