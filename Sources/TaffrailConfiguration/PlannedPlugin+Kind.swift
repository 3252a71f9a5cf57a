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
    package var hasInput: Bool {
        switch builder {
        case .input, .sink(_, .some): true
        default: false
        }
    }

    /// Creates the input, or the input of a sink; `nil` if the plugin adds none.
    package func makeInput() throws -> (any Input)? {
        switch builder {
        case .input(let make), .sink(_, let make?): try make(instance)
        default: nil
        }
    }

    /// Creates the context provider; `nil` if the plugin adds none.
    package func makeContext() throws -> (any ContextProvider)? {
        guard case .context(let make) = builder else { return nil }
        return try make(instance)
    }
}
#endif
