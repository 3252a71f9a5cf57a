#if Store
package import Taffrail

/// Options of a plugin that writes a store of positions.
package protocol TrackStoreOptions: PluginOptions {
    /// The retention of the store.
    var keep: TrackRetention { get }
}
#endif
