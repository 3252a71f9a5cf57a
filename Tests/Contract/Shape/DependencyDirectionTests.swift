import Foundation
import TaffrailTestSupport
import Testing

/// Command → plugins → location manager → tracks → recording → geo → transport → text → core, never the other way round.
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

    /// What each library above the core may use: only what stands before it.
    private static let layers: [(name: String, uses: Set<String>)] = [
        ("TaffrailFoundation", ["Taffrail"]),
        ("TaffrailText", ["CTaffrail", "Taffrail"]),
        ("TaffrailReading", ["CTaffrail", "Taffrail", "TaffrailText"]),
        ("TaffrailTransport", ["CTaffrail", "Taffrail", "TaffrailText"]),
        ("TaffrailGeo", ["Taffrail", "TaffrailText", "TaffrailTransport"]),
        ("TaffrailRecording", ["CTaffrail", "Taffrail", "TaffrailGeo", "TaffrailText", "TaffrailTransport"]),
        ("TaffrailTracks", ["Taffrail", "TaffrailGeo", "TaffrailRecording", "TaffrailText", "TaffrailTransport"]),
        (
            "TaffrailLocationManager",
            ["Taffrail", "TaffrailGeo", "TaffrailRecording", "TaffrailText", "TaffrailTracks", "TaffrailTransport"]
        ),
        ("TaffrailQuery", ["Taffrail", "TaffrailGeo", "TaffrailReading", "TaffrailText"]),
        (
            "TaffrailStore",
            [
                "Taffrail", "TaffrailGeo", "TaffrailLocationManager", "TaffrailQuery", "TaffrailRecording",
                "TaffrailText", "TaffrailTracks", "TaffrailTransport",
            ]
        ),
        ("TaffrailDelivery", ["CTaffrail", "Taffrail"]),
        (
            "TaffrailServer",
            [
                "CTaffrailViewer", "Taffrail", "TaffrailDelivery", "TaffrailGeo", "TaffrailQuery", "TaffrailReading",
                "TaffrailText",
            ]
        ),
        ("TaffrailHTTP", ["Taffrail", "TaffrailDelivery", "TaffrailText"]),
        (
            "TaffrailClickHouse",
            ["Taffrail", "TaffrailDelivery", "TaffrailGeo", "TaffrailHTTP", "TaffrailQuery", "TaffrailText"]
        ),
        ("TaffrailConfiguration", ["Taffrail"]),
        ("TaffrailSwiftLog", ["Taffrail"]),
        ("TaffrailTracing", ["Taffrail"]),
        ("TaffrailMetrics", ["Taffrail", "TaffrailGeo", "TaffrailReading", "TaffrailText"]),
        ("TaffrailTesting", ["Taffrail"]),
        ("TaffrailGeoTesting", ["Taffrail", "TaffrailGeo", "TaffrailLocationManager", "TaffrailRecording"]),
    ]

    @Test func `dependencies have one direction`() throws {
        let targets = try Self.targets()
        let sources = targets.filter {
            $0.type != "test" && !$0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Examples/")
        }
        let plugins = Set(sources.filter { $0.path.hasPrefix("Plugins/") }.map(\.name))
        #expect(plugins.count >= 6)
        for target in sources {
            let needs = Set(target.target_dependencies ?? [])
            switch target.name {
            case "Taffrail":
                #expect(needs == ["CTaffrail"])
                #expect((target.product_dependencies ?? []).isEmpty)
            case "TaffrailMain": continue
            case "TaffrailCommand":
                // Those of which `taffrail record` consists.
                #expect(needs.intersection(plugins) == ["TaffrailGPSD", "TaffrailGeoRecorder", "TaffrailNMEA"])
            default:
                // Only the command knows plugins, and nothing knows the command.
                #expect(needs.isDisjoint(with: plugins), "\(target.name)")
                #expect(needs.isDisjoint(with: ["TaffrailCommand", "TaffrailMain"]), "\(target.name)")
                if let layer = Self.layers.first(where: { $0.name == target.name }) {
                    #expect(needs.isSubset(of: layer.uses), "\(target.name): \(needs.subtracting(layer.uses))")
                } else {
                    let isLeaf =
                        plugins.contains(target.name)
                        || ["CTaffrail", "CTaffrailViewer", "CSystemd"].contains(target.name)
                    #expect(isLeaf, "\(target.name) is in no layer")
                }
            }
            if plugins.contains(target.name) {
                let allowed: Set = [
                    "Taffrail", "TaffrailGeo", "TaffrailLocationManager", "TaffrailRecording", "TaffrailTracks",
                    "TaffrailText", "TaffrailTransport", "TaffrailQuery", "TaffrailStore", "TaffrailDelivery",
                    "TaffrailHTTP", "TaffrailClickHouse", "TaffrailServer", "CTaffrail", "CSystemd",
                ]
                #expect(needs.isSubset(of: allowed), "\(target.name): \(needs)")
            }
        }
    }
}
