internal import Taffrail

/// The plugins of the command.
enum CommandPlugins {
    private static let chosen = Locked<PluginRegistry?>(nil)

    /// All plugins; `nil` before they have been registered.
    static var registry: PluginRegistry? { chosen.withLock { $0 } }

    /// Registers the plugins.
    ///
    /// - Throws: An error for two plugins with the same name.
    static func register(_ plugins: [any Plugin.Type]) throws {
        let registry = try PluginRegistry(plugins)
        chosen.withLock { $0 = registry }
    }
}
