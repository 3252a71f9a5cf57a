#if Command
internal import ArgumentParser
internal import Taffrail

/// `taffrail plugins [NAME]`.
struct PluginsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins",
        abstract: "List the plugins, or print one's sample configuration.",
        discussion: """
            Example:
              taffrail plugins journald
            """)

    @Argument(help: ArgumentHelp("The plugin whose sample is printed.", valueName: "name"))
    var name: String?

    func run() throws {
        let registry = try PluginRegistry(BuiltInPlugins.all)
        guard let name else {
            for entry in registry.entries.sorted(by: { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }) {
                print("\(entry.kind.rawValue)\t\(entry.name)")
            }
            return
        }
        guard let entry = registry[name] else {
            let known = registry.entries.map(\.name).sorted().joined(separator: ", ")
            throw ValidationError("no plugin is named \"\(name)\"; there are \(known)")
        }
        print(entry.sample, terminator: entry.sample.hasSuffix("\n") ? "" : "\n")
    }
}
#endif
