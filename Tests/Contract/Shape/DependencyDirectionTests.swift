import TaffrailTestSupport
import Testing

/// Command → plugins → location manager → tracks → recording → geo → transport → text → core, never the other way round.
@Suite(.mayBlock) struct DependencyDirectionTests {
    /// The libraries in their order: each uses only those in earlier rows. Those in the row after the core use nothing
    /// else.
    private static let layers: [Set<String>] = [
        ["CSystemd", "CTaffrail", "CTaffrailViewer"],
        ["Taffrail"],
        [
            "TaffrailDelivery", "TaffrailFoundation", "TaffrailSwiftLog", "TaffrailTesting", "TaffrailText",
            "TaffrailTracing",
        ],
        ["TaffrailConfiguration", "TaffrailHTTP", "TaffrailReading", "TaffrailTransport"],
        ["TaffrailGeo"],
        ["TaffrailMetrics", "TaffrailQuery", "TaffrailRecording"],
        ["TaffrailClickHouse", "TaffrailServer", "TaffrailTracks"],
        ["TaffrailLocationManager"],
        ["TaffrailGeoTesting", "TaffrailStore"],
    ]

    /// The libraries for tests, which no other target uses.
    private static let forTests: Set = ["TaffrailGeoTesting", "TaffrailTesting"]

    /// The plugins that the command uses itself: those of `taffrail record` and `taffrail doctor`.
    private static let pluginsOfCommand: Set = ["TaffrailGPSD", "TaffrailGeoRecorder", "TaffrailNMEA"]

    private let manifest: PackageManifest
    private let plugins: Set<String>

    init() throws {
        manifest = try PackageManifest.shared.get()
        plugins = Set(manifest.targets.filter { $0.path.hasPrefix("Plugins/") }.map(\.name))
    }

    private func uses(of name: String) throws -> Set<String> { Set(try #require(manifest[name]).uses.keys) }

    @Test func `a target imports what the manifest lists, and nothing else`() throws {
        #expect(manifest.targets.count > 40)
        let names = Set(manifest.targets.map(\.name))
        for target in manifest.targets {
            let imports = Set(try SwiftFile.all(in: target.path).flatMap(\.imports)).intersection(names)
            let uses = Set(target.uses.keys)
            #expect(imports == uses, "\(target.name): \(imports.symmetricDifference(uses).sorted())")
        }
    }

    @Test func `a library uses only libraries of the layers below it`() throws {
        var below: Set<String> = []
        for layer in Self.layers {
            for name in layer {
                let above = try uses(of: name).subtracting(below)
                #expect(above.isEmpty, "\(name): \(above.sorted())")
            }
            below.formUnion(layer)
        }
        let others = Set(manifest.targets.map(\.name)).subtracting(below).subtracting(plugins)
        #expect(others == ["TaffrailCommand", "TaffrailMain"], "give each library a layer")
    }

    @Test func `the core uses only its C code`() throws {
        let core = try #require(manifest["Taffrail"])
        #expect(Set(core.uses.keys) == ["CTaffrail"] && core.products.isEmpty)
    }

    @Test func `a plugin uses the core and libraries, and no other plugin`() throws {
        #expect(plugins.count >= 20)
        let libraries = Self.layers.reduce(into: Set()) { $0.formUnion($1) }.subtracting(Self.forTests)
        for plugin in plugins {
            let uses = try uses(of: plugin)
            #expect(uses.contains("Taffrail"), "\(plugin)")
            #expect(uses.isSubset(of: libraries), "\(plugin): \(uses.subtracting(libraries).sorted())")
        }
    }

    @Test func `only the command uses plugins, and only its list of plugins has all`() throws {
        let command = try uses(of: "TaffrailCommand")
        #expect(command.intersection(plugins) == Self.pluginsOfCommand)
        #expect(command.isDisjoint(with: Self.forTests))
        #expect(try uses(of: "TaffrailMain") == plugins.union(["Taffrail", "TaffrailCommand"]))
    }
}
