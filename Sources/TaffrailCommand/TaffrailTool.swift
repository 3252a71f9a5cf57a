#if Command
internal import ArgumentParser
#endif
internal import Dispatch
internal import Glibc
public import Taffrail

/// The command `taffrail` as a library, for an executable with additional plugins.
///
///     @main struct Main {
///         static func main() { TaffrailTool.main(plugins: [FilePlugin.self, SonarPlugin.self]) }
///     }
public enum TaffrailTool {
    /// Runs the command with the arguments of the process, and ends the process. Call it once, on the main thread.
    ///
    /// - Parameter plugins: The plugins available in a configuration. Two with the same name are an error: exit status
    ///   78.
    public static func main(plugins: [any Plugin.Type]) -> Never {
        register(plugins)
        let words = Array(CommandLine.arguments.dropFirst())
        #if Command
        CommandRoot.logOneRecord(words)
        #endif
        Task {
            await run(words)
            exit(0)
        }
        dispatchMain()
    }

    /// Runs the command for a `main` that is asynchronous; this makes a single `taffrail log` slower.
    ///
    /// - Parameter plugins: The plugins available in a configuration.
    public static func main(plugins: [any Plugin.Type]) async {
        register(plugins)
        await run(Array(CommandLine.arguments.dropFirst()))
    }

    private static func register(_ plugins: [any Plugin.Type]) {
        do {
            try CommandPlugins.register(plugins)
        } catch {
            StandardStream.report("\(error)")
            exit(78)  // EX_CONFIG
        }
    }

    private static func run(_ words: [String]) async {
        #if Command
        await CommandRoot.run(TailCommand.arguments(words))
        #else
        // The trait Command provides the argument parser.
        if words.first == "--version" {
            print(Version.text)
        } else {
            StandardStream.report("the command requires the trait Command: swift build --traits Command")
            exit(69)  // EX_UNAVAILABLE
        }
        #endif
    }
}
