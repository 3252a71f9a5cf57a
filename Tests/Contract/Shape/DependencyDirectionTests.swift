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

    /// `swift package describe`, in a separate scratch folder, because the current build locks its own.
    private static func targets() throws -> [Description.Target] {
        let root = Repository.root
        let scratch = TemporaryDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let result = try Program.run(
            [
                "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "describe", "--type",
                "json",
            ], of: "env")
        return try JSONDecoder().decode(Description.self, from: Data(result.output.utf8)).targets
    }

    /// The libraries that each library above the core may use: only earlier entries.
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
            ["Taffrail", "TaffrailGeo", "TaffrailRecording", "TaffrailTracks", "TaffrailTransport"]
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
        ("TaffrailConfiguration", ["Taffrail", "TaffrailText"]),
        ("TaffrailSwiftLog", ["Taffrail"]),
        ("TaffrailTracing", ["Taffrail"]),
        ("TaffrailMetrics", ["Taffrail", "TaffrailGeo", "TaffrailReading", "TaffrailText"]),
        ("TaffrailTesting", ["Taffrail"]),
        ("TaffrailGeoTesting", ["Taffrail", "TaffrailGeo", "TaffrailLocationManager", "TaffrailRecording"]),
    ]

    /// The dependencies of the command: libraries, and the plugins of `taffrail record`.
    private static let command: Set<String> = [
        "Taffrail", "TaffrailClickHouse", "TaffrailConfiguration", "TaffrailDelivery", "TaffrailGPSD", "TaffrailGeo",
        "TaffrailGeoRecorder", "TaffrailLocationManager", "TaffrailNMEA", "TaffrailQuery", "TaffrailReading",
        "TaffrailRecording", "TaffrailServer", "TaffrailStore", "TaffrailText", "TaffrailTracks", "TaffrailTransport",
    ]

    /// The dependencies of each plugin besides the core.
    private static let plugins: [String: Set<String>] = [
        "TaffrailAdaptivePinger": [
            "TaffrailDelivery", "TaffrailGeo", "TaffrailHTTP", "TaffrailText", "TaffrailTransport",
        ],
        "TaffrailAlerts": ["TaffrailGeo", "TaffrailQuery", "TaffrailText"],
        "TaffrailConsole": [],
        "TaffrailFilter": [],
        "TaffrailGPSD": ["TaffrailGeo", "TaffrailTransport"],
        "TaffrailGeoAttributes": ["TaffrailGeo", "TaffrailHTTP", "TaffrailLocationManager", "TaffrailText"],
        "TaffrailGeoRecorder": [
            "TaffrailDelivery", "TaffrailGeo", "TaffrailHTTP", "TaffrailRecording", "TaffrailText", "TaffrailTransport",
        ],
        "TaffrailGeoReplay": ["TaffrailGeo", "TaffrailRecording", "TaffrailTracks", "TaffrailTransport"],
        "TaffrailHTTPRemote": ["TaffrailDelivery", "TaffrailGeo", "TaffrailHTTP", "TaffrailText", "TaffrailTransport"],
        "TaffrailJournald": ["TaffrailText"],
        "TaffrailLocationStore": ["TaffrailGeo", "TaffrailStore"],
        "TaffrailLogStore": ["TaffrailGeo", "TaffrailQuery", "TaffrailStore"],
        "TaffrailMemory": [],
        "TaffrailNMEA": ["TaffrailGeo", "TaffrailTransport"],
        "TaffrailPrivacy": ["TaffrailGeo"],
        "TaffrailReceiver": [
            "TaffrailClickHouse", "TaffrailGeo", "TaffrailQuery", "TaffrailServer", "TaffrailStore",
            "TaffrailTransport",
        ],
        "TaffrailRedaction": [],
        "TaffrailSampling": [],
        "TaffrailSimulated": ["TaffrailGeo", "TaffrailTransport"],
        "TaffrailVisits": ["TaffrailGeo", "TaffrailLocationManager", "TaffrailText"],
    ]

    /// The dependencies of a target, unless it is one of the layers.
    private static func uses(of target: String) -> Set<String>? {
        switch target {
        case "Taffrail": ["CTaffrail"]
        case "CTaffrail", "CTaffrailViewer", "CSystemd": []
        case "TaffrailCommand": command
        case "TaffrailMain": Set(plugins.keys).union(["Taffrail", "TaffrailCommand"])
        default: plugins[target].map { $0.union(["Taffrail"]) }
        }
    }

    @Test func `dependencies have one direction`() throws {
        let targets = try Self.targets()
        let sources = targets.filter {
            $0.type != "test" && !$0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Examples/")
        }
        let names = Set(sources.map(\.name))
        #expect(Set(sources.filter { $0.path.hasPrefix("Plugins/") }.map(\.name)) == Set(Self.plugins.keys))
        for target in sources {
            // The description omits dependencies with a trait, but their modules are imported.
            let needs = Set(target.target_dependencies ?? [])
            let imports = Set(try SwiftFile.all(in: target.path).flatMap(\.imports)).intersection(names)
            if let uses = Self.uses(of: target.name) {
                #expect(imports == uses, "\(target.name): \(imports.symmetricDifference(uses).sorted())")
            } else if let layer = Self.layers.first(where: { $0.name == target.name }) {
                #expect(imports.isSubset(of: layer.uses), "\(target.name): \(imports.subtracting(layer.uses))")
            } else {
                Issue.record("\(target.name) is in no layer")
            }
            #expect(needs.isSubset(of: imports), "\(target.name): nothing imports \(needs.subtracting(imports))")
            if target.name == "Taffrail" { #expect((target.product_dependencies ?? []).isEmpty) }
        }
    }

    @Test func `a layer uses only what stands before it`() {
        var below: Set = ["CTaffrail", "CTaffrailViewer", "Taffrail"]
        for layer in Self.layers {
            #expect(layer.uses.isSubset(of: below), "\(layer.name): \(layer.uses.subtracting(below))")
            below.insert(layer.name)
        }
        for (plugin, uses) in Self.plugins {
            #expect(uses.isSubset(of: below.union(["CSystemd"])), "\(plugin): only the command knows plugins")
        }
        #expect(Self.command.subtracting(below) == ["TaffrailGPSD", "TaffrailGeoRecorder", "TaffrailNMEA"])
    }
}
