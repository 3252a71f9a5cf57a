#if Configuration && HTTP && Journald && Server && Store
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailConfiguration
@testable import TaffrailMain

/// A configuration that uses a plugin which a program lacks is answered with the product, type and trait of that plugin.
@Suite(.mayBlock) struct KnownPluginTests {
    /// The plugin that registers a name.
    private struct Registrar: Hashable {
        let product: String
        let type: String
        let trait: String?
    }

    /// Returns the plugins of the command by the names that they register, as plugins or as keys.
    private static func registrars(ofKeys isTopLevel: Bool) throws -> [String: Set<Registrar>] {
        let main = try #require(try PackageManifest.shared.get()["TaffrailMain"])
        var found: [String: Set<Registrar>] = [:]
        for plugin in BuiltInPlugins.all {
            let words = String(reflecting: plugin).split(separator: ".").map(String.init)
            let registrar = Registrar(product: words[0], type: words[1], trait: main.uses[words[0]]?.first)
            for entry in try PluginRegistry([plugin]).entries
            where [.section, .attributeGuard].contains(entry.kind) == isTopLevel {
                found[entry.name, default: []].insert(registrar)
            }
        }
        return found
    }

    private static func registrar(_ source: KnownPlugins.Source?) -> Registrar? {
        source.map { Registrar(product: $0.product, type: $0.type, trait: $0.trait) }
    }

    @Test func `the plugins that are known are those of the command`() throws {
        let registrars = try Self.registrars(ofKeys: false)
        #expect(Set(KnownPlugins.sources.keys) == Set(registrars.keys))
        for (name, plugins) in registrars {
            #expect(Self.registrar(KnownPlugins.sources[name]).map { [$0] } == plugins, "\(name)")
        }
    }

    @Test func `the keys that are known are those of the command's plugins`() throws {
        let registrars = try Self.registrars(ofKeys: true)
        #expect(Set(KnownPlugins.keys.keys) == Set(registrars.keys))
        for (name, plugins) in registrars {
            #expect(Self.registrar(KnownPlugins.keys[name]).map(plugins.contains) == true, "\(name)")
        }
    }
}
#endif
