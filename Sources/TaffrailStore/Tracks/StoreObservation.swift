#if Store
/// The registration of a function that is called after saves.
package final class StoreObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
#endif
