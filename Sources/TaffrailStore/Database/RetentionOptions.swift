#if Store
package import Taffrail

/// Options of a plugin that writes a store.
package protocol RetentionOptions: PluginOptions {
    /// The type of the limits of the store's contents.
    associatedtype Retention
    /// The limits of the store's contents.
    var keep: Retention { get }
}
#endif
