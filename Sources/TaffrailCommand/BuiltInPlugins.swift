internal import Taffrail
internal import TaffrailConsole
internal import TaffrailFilter
internal import TaffrailMemory
internal import TaffrailRedaction
internal import TaffrailSampling
#if Journald
internal import TaffrailJournald
#endif

/// The composition root: the plugins that the command has, one a line.
enum BuiltInPlugins {
    static var all: [any Plugin.Type] {
        var plugins: [any Plugin.Type] = [
            FilePlugin.self,
            ConsolePlugin.self,
            MemoryPlugin.self,
            RedactionPlugin.self,
            SamplingPlugin.self,
            FilterPlugin.self,
        ]
        #if Journald
        plugins.append(JournaldPlugin.self)
        #endif
        return plugins
    }
}
