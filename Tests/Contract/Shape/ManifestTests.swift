import Foundation
import TaffrailTestSupport
import Testing

/// The manifests of the repository's packages.
@Suite struct ManifestTests {
    /// The files `Package.swift` at the root, of the examples, the benchmarks and the fuzzing.
    private static func manifests() throws -> [URL] {
        let folders = try ["Examples", "Tests"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: Repository.root.appending(path: folder), includingPropertiesForKeys: nil)
        }
        return ([Repository.root] + folders).map { $0.appending(path: "Package.swift") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    @Test func `no package names platforms, because Taffrail is for Linux only`() throws {
        let manifests = try Self.manifests()
        #expect(manifests.count >= 10)
        for manifest in manifests {
            let text = try String(contentsOf: manifest, encoding: .utf8)
            #expect(!text.contains("platforms:"), "\(manifest.path)")
        }
    }
}
