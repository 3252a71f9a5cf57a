public import Taffrail

/// The sink `csv`: only registers its factory.
public enum CSVPlugin: Plugin {
    /// Adds `csv`.
    public static func register(in registry: inout PluginRegistry) throws {
        try registry.addSink("csv", sample: sample) { (options: CSVOptions, instance) in
            CSVSink(options, name: instance.name)
        }
    }

    static let sample = """
        plugins:
          csv:
            path: /var/log/ferry/log.csv   # absolute
            separator: ","                 # one character: , ; or a tab

        """
}
