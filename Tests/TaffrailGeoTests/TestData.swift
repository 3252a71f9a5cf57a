import FoundationEssentials
import Testing

/// Files that stay outside the project: real receiver logs, tracks and schemas.
enum TestData {
    /// The folder beside the package's root.
    static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/testdata").path

    static let isThere = FileManager.default.fileExists(atPath: folder)
    static let comment: Comment = "no test data beside the package: ../shared/testdata"

    static func path(_ name: String) -> String { folder + "/" + name }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }
}
