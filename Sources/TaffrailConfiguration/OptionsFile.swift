#if Configuration
package import Taffrail
internal import Yams

/// Reads options without a plan: the options of a plugin in a configuration, or a file that consists of options.
package enum OptionsFile {
    /// Reads options. Opens nothing but the file.
    ///
    /// If the file is a configuration, with a key `plugins`, these are the options of the plugin's first instance; keys
    /// that the type does not have are ignored there, since the plugin may have them.
    ///
    /// - Parameters:
    ///   - file: Its path.
    ///   - plugin: The plugin's name.
    ///   - registry: Provides the sections that options refer to.
    /// - Throws: ``ConfigurationError`` with all problems.
    package static func read<Options: PluginOptions>(
        _ type: Options.Type, file: String, plugin: String, registry: PluginRegistry
    ) throws(ConfigurationError) -> Options {
        var variables = YAMLVariables(Environment.variables, file: file)
        let root = try YAMLDocument.root(of: ConfigurationPath.text(of: file), file: file).map {
            variables.expanded($0)
        }
        guard variables.problems.isEmpty else { throw ConfigurationError(variables.problems) }
        let whole = root ?? Node.mapping(Node.Mapping([]))
        var problems: [ConfigurationProblem] = []
        var reader = OptionsReader(file: file, path: plugin, mark: whole.mark, node: whole)
        if let plugins = whole.mapping?["plugins"] {
            guard let found = instance(of: plugin, in: plugins) else {
                let message = "plugins: no instance of \(plugin)"
                let (line, column) = (plugins.mark?.line ?? 1, plugins.mark?.column ?? 1)
                throw ConfigurationError([
                    ConfigurationProblem(file: file, line: line, column: column, message: message)
                ])
            }
            let sections = OptionsReader.sections(
                of: whole.mapping ?? Node.Mapping([]), file: file, registry, into: &problems)
            guard problems.isEmpty else { throw ConfigurationError(problems) }
            reader = OptionsReader(
                file: file, path: "plugins.\(found.key.name)", mark: found.key.mark, node: found.value,
                otherKeys: found.value.mapping?.map(\.key.name) ?? [],
                sections: PluginRegistry.Sections(sections))
        }
        guard let options = reader.read(into: &problems, { try Options(from: $0) }) else {
            throw ConfigurationError(problems)
        }
        return options
    }

    private static func instance(of plugin: String, in plugins: Node) -> (key: Node, value: Node)? {
        plugins.mapping?.first { key, value in (value.mapping?["type"]?.scalar?.string ?? key.name) == plugin }
    }
}
#endif
