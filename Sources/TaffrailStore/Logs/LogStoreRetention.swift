#if Store
package import Taffrail

/// Options of a plugin that writes a store of records.
package protocol LogStoreRetention: PluginOptions {
    /// The retention of the store.
    var keep: LogRetention { get }
}
#endif
