/// The registration of a listener at a ``LocationManager``, which ends when this object is released.
public final class LocationListener: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the registration.
    public func cancel() { end() }

    deinit { end() }
}
