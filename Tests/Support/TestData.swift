internal import Foundation

/// Files that stay outside the project: logs of real receivers, tracks and schemas.
package enum TestData {
    /// The directory next to the package's root.
    package static let folder =
        Repository.root.deletingLastPathComponent().appending(path: "shared/testdata").path
    package static let isThere = FileManager.default.fileExists(atPath: folder)
    /// The reason for skipping a test without these files.
    package static let reason = "no test data beside the package: ../shared/testdata"

    package static func path(_ name: String) -> String { folder + "/" + name }

    package static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    /// The sentences of a receiver's log, one by one.
    package static func sentences(_ name: String) throws -> [[UInt8]] {
        try bytes("nmea/\(name).log").split(separator: 10).filter { $0.first == UInt8(ascii: "$") }.map { $0 + [10] }
    }
}
