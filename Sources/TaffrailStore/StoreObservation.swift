#if Store
/// The time for which a function is called after saves.
package final class StoreObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
#endif
