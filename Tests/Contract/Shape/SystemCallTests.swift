import Foundation
import TaffrailTestSupport
import Testing

/// Only files that call the system import the system's library.
@Suite struct SystemCallTests {
    /// Folders and files above the core that may import it, with the reason.
    private static let allowed: [(path: String, use: String)] = [
        ("Sources/TaffrailText/Bytes/FileAccess.swift", "permissions"),
        ("Sources/TaffrailText/Bytes/Environment+Kernel.swift", "the kernel's name"),
        ("Sources/TaffrailText/Bytes/FileDescriptor+Duplicate.swift", "copies of descriptors"),
        ("Sources/TaffrailText/Bytes/FileDescriptor+Reading.swift", "single reads"),
        ("Sources/TaffrailText/Bytes/FileName+Changes.swift", "links, times of files"),
        ("Sources/TaffrailText/Waiting/", "events of files, pipes"),
        ("Sources/TaffrailTransport/", "sockets"),
        ("Sources/TaffrailCommand/Doctor/DoctorExamination.swift", "errors of files"),
        ("Sources/TaffrailCommand/Log/StandardInputLogger.swift", "streams that wait"),
        ("Sources/TaffrailCommand/Plot/RouteMap.swift", "mathematics"),
        ("Sources/TaffrailCommand/Replay/ReplayScreen.swift", "terminals"),
        ("Sources/TaffrailCommand/Service/RunCommand.swift", "signals"),
        ("Sources/TaffrailCommand/System/ExternalProgram.swift", "programs"),
        ("Sources/TaffrailCommand/System/SignalPipe.swift", "signals"),
        ("Sources/TaffrailCommand/System/SystemdLibrary.swift", "libraries"),
        ("Sources/TaffrailCommand/TaffrailTool.swift", "the end of the program"),
        ("Sources/TaffrailCommand/Terminal/", "terminals"),
        ("Sources/TaffrailCommand/View/ViewDirectory.swift", "temporary directories"),
        ("Sources/TaffrailStore/Points/ScaledCoordinate.swift", "mathematics"),
        ("Sources/TaffrailTracks/Editing/", "mathematics"),
        ("Sources/TaffrailTracks/Output/", "sockets, pseudo-terminals"),
        ("Sources/TaffrailTracks/Replay/MonotonicTimer.swift", "waits with absolute deadlines"),
        ("Sources/TaffrailGeo/Geocoding/OfflineGeocoder.swift", "mathematics"),
        ("Sources/TaffrailGeo/Geodesy/", "mathematics"),
        ("Sources/TaffrailGeo/Location/LocationField.swift", "memcmp, for each attribute"),
        ("Sources/TaffrailReading/Files/FileDescriptor+Advice.swift", "advice about reading files"),
        ("Sources/TaffrailReading/Files/LineReader.swift", "memchr, for each line"),
        ("Sources/TaffrailReading/Files/StreamLines.swift", "streams that wait"),
        ("Sources/TaffrailReading/Tail/LinePatternMatch.swift", "regular expressions"),
        ("Sources/TaffrailReading/Tail/DirectoryWatch.swift", "events of files"),
        ("Sources/TaffrailReading/Tail/LogTail.swift", "waits"),
        ("Sources/TaffrailConfiguration/ConfigurationPath.swift", "configurations from pipes"),
        ("Sources/TaffrailConfiguration/Environment+Variables.swift", "the environment"),
        ("Sources/TaffrailConfiguration/WatchedDirectories.swift", "events of files"),
        ("Sources/TaffrailHTTP/HTTPFailure.swift", "errors of connections"),
        ("Sources/TaffrailServer/HTTP/OpenFileLimit.swift", "a limit of the process"),
        ("Sources/TaffrailServer/HTTP/UnsentLimit.swift", "an option of sockets"),
        ("Plugins/Sinks/Journald/JournalSocket.swift", "sockets"),
    ]

    @Test func `in the core only System imports Glibc, above it only targets that need the system itself`() throws {
        let files = try SwiftFile.all(in: "Sources", "Plugins").filter { $0.imports.contains("Glibc") }.map(\.path)
        #expect(files.count > 20)
        for file in files where !file.hasPrefix("Sources/Taffrail/System/") {
            #expect(Self.allowed.contains { file.hasPrefix($0.path) }, "\(file)")
        }
        for (path, use) in Self.allowed where !files.contains(where: { $0.hasPrefix(path) }) {
            Issue.record("nothing imports Glibc for \(use) in \(path): take it off the list")
        }
    }

    @Test func `values are protected by the one mutex that the ThreadSanitizer understands`() throws {
        let others = ["Mutex<", "Mutex(", "NSLock"]
        let exceptions = [
            "Sources/Taffrail/System/Locked.swift",
            // Can use only public declarations.
            "Tests/Contract/MainActorClient/MainActorClientTests.swift",
            "Tests/Contract/Shape/SystemCallTests.swift",
        ]
        let files = try SwiftFile.all(
            in: "Sources", "Plugins", "Tests/Contract", "Tests/EndToEnd", "Tests/Subject", "Tests/Support",
            "Tests/Unit")
        for file in files where !exceptions.contains(file.path) {
            #expect(!others.contains { file.text.contains($0) }, "\(file.path): use Locked")
        }
    }
}
