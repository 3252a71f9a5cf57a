import Foundation
import Synchronization
import Taffrail
import TaffrailGeo
import Testing

/// A folder that is gone when the value is.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "taffrail-gpsd-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path + "/" + name) ?? Data(), as: UTF8.self)
    }
}

/// Files that stay outside the project: real receiver logs.
enum TestData {
    static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/testdata").path
    static let isThere = FileManager.default.fileExists(atPath: folder)
    static let comment: Comment = "no test data beside the package: ../shared/testdata"

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name)))
    }
}

/// Another program, ended with the value.
final class Program: @unchecked Sendable {
    let process = Process()

    /// Starts a program; what it writes goes to a file.
    init(_ path: String, _ arguments: [String], output: String? = nil) throws {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let target = output ?? "/dev/null"
        if output != nil { try Data().write(to: URL(filePath: target)) }
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: target))
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit { stop() }

    func stop() {
        guard process.isRunning else { return }
        // A program that is started from a thread of Dispatch inherits its blocked signals, TERM among them.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// gpsd and its clients, as Debian has them.
enum GPSDTools {
    static let daemon = "/usr/sbin/gpsd"
    static let pipe = "/usr/bin/gpspipe"
    static let control = "/usr/sbin/gpsdctl"
    static let areThere = [daemon, pipe].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    static let comment: Comment = "gpsd is not installed (gpsd, gpsd-clients)"
}

/// Waits until something is so, at most for a while.
func eventually(seconds: Double = 90, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    while DispatchTime.now().uptimeNanoseconds < end {
        if try condition() { return true }
        poll(nil, 0, 5)
    }
    return try condition()
}

/// A port that nobody listens at now.
func freePort() throws -> Int {
    let server = try StreamServer(host: "127.0.0.1", port: 0)
    defer { server.close(nanoseconds: 0) }
    return server.port
}

/// Collects events.
final class Events: Sendable {
    private let events = Mutex<[GeoEvent]>([])
    func add(_ event: GeoEvent) { events.withLock { $0.append(event) } }
    var all: [GeoEvent] { events.withLock { $0 } }
    var locations: [Location] { all.compactMap(\.location) }
    var errors: [String] { all.compactMap(\.error?.description) }
}

/// A sink that hands the events of its records to a closure.
final class EventSink: Sink {
    let events: Events
    init(_ events: Events) { self.events = events }
    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        batch.forEach { events.add(GeoEvent(LogRecord($0))) }
    }
}
