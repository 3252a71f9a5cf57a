#if Command
internal import ArgumentParser
#endif
internal import Glibc
public import Taffrail

/// The command `taffrail` as a library, for an executable with additional plugins.
///
///     @main struct Main {
///         static func main() async { await TaffrailTool.main(plugins: [FilePlugin.self, SonarPlugin.self]) }
///     }
public enum TaffrailTool {
    private static let chosen = Locked<PluginRegistry?>(nil)

    /// The plugins; `nil` before ``main(plugins:)``.
    static var registry: PluginRegistry? { chosen.withLock { $0 } }

    /// Runs the command with the arguments of the process, and ends the process. Call it once.
    ///
    /// - Parameter plugins: The plugins available in a configuration. Two with the same name are an error: exit code
    ///   78.
    public static func main(plugins: [any Plugin.Type]) async {
        do {
            let registry = try PluginRegistry(plugins)
            chosen.withLock { $0 = registry }
        } catch {
            StandardStream.complain("\(error)")
            exit(78)  // EX_CONFIG
        }
        #if Command
        await CommandRoot.run(TailCommand.arguments(Array(CommandLine.arguments.dropFirst())))
        #else
        // The trait Command provides the argument parser.
        if CommandLine.arguments.dropFirst().first == "--version" {
            print(Version.text)
        } else {
            print("taffrail \(Version.text) was built without the trait Command: swift build --traits Command")
        }
        #endif
    }
}
