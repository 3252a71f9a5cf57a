#if Metrics
internal import Taffrail
internal import TaffrailReading
internal import TaffrailText

/// One number of a plugin's status file.
struct PluginValues {
    let plugin: String
    let key: String
    let number: Double

    /// Returns the numbers and Boolean values (as 1 and 0) of all status files in some directories; those in objects
    /// are named `key.key`.
    static func read(directories: [String]) -> [PluginValues] {
        directories.flatMap { SinkBook.StatusFile.read(directory: $0) }.flatMap { file in
            numbers(in: LogValue(json: file.json.utf8)?.entries ?? [], of: file.instance, below: "")
        }
    }

    private static func numbers(in entries: [LogValueEntry], of plugin: String, below prefix: String) -> [PluginValues]
    {
        entries.flatMap { entry -> [PluginValues] in
            let key = prefix + entry.key
            switch entry.value {
            case .int(let number): return [PluginValues(plugin: plugin, key: key, number: Double(number))]
            case .double(let number): return [PluginValues(plugin: plugin, key: key, number: number)]
            case .bool(let flag): return [PluginValues(plugin: plugin, key: key, number: flag ? 1 : 0)]
            case .map(let inner): return numbers(in: inner, of: plugin, below: key + ".")
            default: return []
            }
        }
    }
}
#endif
