#if Store
internal import Taffrail

/// One object for each path in a process. A forked child gets a new one.
final class StoreRegistry<Store: AnyObject & Sendable>: Sendable {
    private struct Entry { weak var store: Store? }
    private let stores = Locked<[String: Entry]>([:])

    /// Returns the object of a path.
    func store(at path: String, isOwn: (Store) -> Bool, make: (String) -> Store) -> Store {
        stores.withLock { stores in
            if let store = stores[path]?.store, isOwn(store) { return store }
            stores = stores.filter { $0.value.store != nil }
            let store = make(path)
            stores[path] = Entry(store: store)
            return store
        }
    }
}
#endif
