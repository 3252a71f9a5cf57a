package import Foundation

/// The sources that the tests were built from.
package enum Repository {
    /// The repository's directory.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
