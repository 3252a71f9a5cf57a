#if Configuration
package import Taffrail

extension PlannedPlugin {
    /// The kind of part.
    package var kind: PluginInstance.Kind {
        switch builder {
        case .sink: .sink
        case .processor: .processor
        case .input: .input
        case .context: .context
        case .attributeGuard: .attributeGuard
        case .section: .section
        }
    }

    /// Whether the plugin adds an input: it is an input, or a sink that has one.
    package var hasInput: Bool { kind == .input || companion != nil }

    /// Creates the input, or the input of a sink; `nil` if the plugin adds none.
    package func makeInput() throws -> (any Input)? {
        guard case .input(let make) = builder else { return try companion?(instance) }
        return try make(instance)
    }

    /// Creates the context provider; `nil` if the plugin adds none.
    package func makeContext() throws -> (any ContextProvider)? {
        guard case .context(let make) = builder else { return nil }
        return try make(instance)
    }
}
#endif
