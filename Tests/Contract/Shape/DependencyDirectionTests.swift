import Foundation
import TaffrailTestSupport
import Testing

/// Command → plugins → geo → core, and never the other way round.
@Suite(.mayBlock) struct DependencyDirectionTests {
    private struct Description: Decodable {
        struct Target: Decodable {
            var name: String
            var type: String
            var path: String
            var target_dependencies: [String]?
            var product_dependencies: [String]?
        }
        var targets: [Target]
    }

    /// `swift package describe`, in a scratch folder of its own: the one of the build under way is locked.
    private static func targets() throws -> [Description.Target] {
        let root = Repository.root
        let scratch = FileManager.default.temporaryDirectory.appending(path: "taffrail-describe-\(getpid())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let result = try Program.run(
            [
                "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "describe", "--type",
                "json",
            ], of: "env")
        return try JSONDecoder().decode(Description.self, from: Data(result.output.utf8)).targets
    }

    @Test func `dependencies have one direction`() throws {
        let targets = try Self.targets()
        let sources = targets.filter { $0.type != "test" && !$0.path.hasPrefix("Tests/") }
        let plugins = Set(sources.filter { $0.path.hasPrefix("Plugins/") }.map(\.name))
        #expect(plugins.count >= 6)
        for target in sources {
            let needs = Set(target.target_dependencies ?? [])
            switch target.name {
            case "Taffrail":
                #expect(needs == ["CTaffrail"])
                #expect((target.product_dependencies ?? []).isEmpty)
            case "TaffrailText": #expect(needs == ["CTaffrail", "Taffrail"])
            case "TaffrailTransport": #expect(needs == ["CTaffrail", "Taffrail", "TaffrailText"])
            case "TaffrailGeo":
                #expect(needs.isSubset(of: ["CTaffrail", "Taffrail", "TaffrailText", "TaffrailTransport"]))
            case "TaffrailCommand": continue
            default:
                // Only the command knows plugins, and nobody knows the command.
                #expect(needs.isDisjoint(with: plugins), "\(target.name)")
                #expect(!needs.contains("TaffrailCommand"), "\(target.name)")
            }
            if plugins.contains(target.name) {
                let allowed: Set = [
                    "Taffrail", "TaffrailGeo", "TaffrailText", "TaffrailTransport", "CTaffrail", "CSystemd",
                ]
                #expect(needs.isSubset(of: allowed), "\(target.name): \(needs)")
            }
        }
    }
}
