import Foundation
import Testing

/// Programs that are not written by us, to check against.
enum Tool {
    static func path(_ name: String) -> String? {
        for folder in ["/usr/bin", "/usr/local/bin", "/usr/sbin", "/bin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        return nil
    }

    static func isThere(_ name: String) -> Bool { path(name) != nil }

    /// Runs a program to its end with `input`, and gives what it wrote.
    static func run(
        _ name: String, _ arguments: [String], input: String = ""
    ) throws -> (status: Int32, output: String, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, output, errors) = (
            folder.appending(path: "in"), folder.appending(path: "out"), folder.appending(path: "err")
        )
        try Data(input.utf8).write(to: source)
        try Data().write(to: output)
        try Data().write(to: errors)
        let process = Process()
        process.executableURL = URL(filePath: try #require(path(name)))
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self),
            String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        )
    }
}
