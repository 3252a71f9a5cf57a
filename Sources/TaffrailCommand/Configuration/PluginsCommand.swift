#if Command
internal import ArgumentParser
internal import Taffrail
#if Configuration
internal import TaffrailConfiguration
#endif

/// `taffrail plugins [NAME]`.
struct PluginsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins",
        abstract: "List the plugins, or print the sample configuration of one.",
        discussion: """
            Example:
              taffrail plugins journald
            """)

    @Argument(
        help: ArgumentHelp("The plugin whose sample to print.", valueName: "name"),
        completion: .custom { _, _, _ in
            (CommandPlugins.registry?.entries ?? []).filter { $0.kind != .section }.map(\.name).sorted()
        })
    var name: String?

    func run() throws {
        guard let registry = CommandPlugins.registry else { throw ExitCode.badConfiguration }
        guard let name else {
            let entries = registry.entries.filter { $0.kind != .section }
            for entry in entries.sorted(by: { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }) {
                print("\(entry.kind.rawValue)\t\(entry.name)")
            }
            return
        }
        guard let entry = registry[name], entry.kind != .section else {
            throw ValidationError(Self.refusal(of: name, known: registry.entries.map(\.name)))
        }
        print(entry.sample, terminator: entry.sample.hasSuffix("\n") ? "" : "\n")
    }

    private static func refusal(of name: String, known: [String]) -> String {
        #if Configuration
        if let advice = KnownPlugins.advice(for: name) { return advice }
        return "no plugin is named \"\(name)\"" + Suggestion.text(for: name, among: known, naming: "plugins")
        #else
        return "no plugin is named \"\(name)\"; known plugins: \(known.sorted().joined(separator: ", "))"
        #endif
    }
}
#endif
