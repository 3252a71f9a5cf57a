import Foundation
import TaffrailTestSupport

/// The manifest of the package, as the package manager reads it.
struct PackageManifest {
    /// A target that is neither a test nor an example.
    struct Target {
        let name: String
        /// The folder in the repository.
        let path: String
        /// The targets that it depends on, with the traits that each requires.
        let uses: [String: [String]]
        /// The products of other packages that it depends on.
        let products: [String]
    }

    /// The manifest, which is evaluated once.
    static let shared = Result { try PackageManifest() }

    /// The targets in `Sources` and `Plugins`.
    let targets: [Target]

    /// Evaluates the manifest, in a scratch folder of its own, because the current build locks the usual one.
    private init() throws {
        let scratch = TemporaryDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let result = try Program.run(
            [
                "swift", "package", "--package-path", Repository.root.path, "--scratch-path", scratch.path,
                "dump-package",
            ], of: "env")
        let dump = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        targets = (dump?["targets"] as? [[String: Any]] ?? []).compactMap(Self.target)
    }

    private static func target(_ dump: [String: Any]) -> Target? {
        let name = dump["name"] as? String ?? ""
        let path = dump["path"] as? String ?? "Sources/\(name)"
        guard path.hasPrefix("Sources/") || path.hasPrefix("Plugins/") else { return nil }
        var uses: [String: [String]] = [:]
        var products: [String] = []
        // `{"byName": ["Taffrail", null]}`, `{"target": ["TaffrailHTTP", {"traits": ["HTTP"]}]}` and so on.
        for dependency in dump["dependencies"] as? [[String: Any]] ?? [] {
            for (kind, value) in dependency {
                guard let words = value as? [Any], let used = words.first as? String else { continue }
                if kind == "product" { products.append(used) } else { uses[used] = traits(words) }
            }
        }
        return Target(name: name, path: path, uses: uses, products: products)
    }

    private static func traits(_ dependency: [Any]) -> [String] {
        (dependency.last as? [String: Any])?["traits"] as? [String] ?? []
    }

    subscript(name: String) -> Target? { targets.first { $0.name == name } }
}
