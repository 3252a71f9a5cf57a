internal import Synchronization

/// A reference to an object that any thread reads without a lock. Neither it nor its objects are ever freed, because a
/// call may still use a previous one.
struct PermanentReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    private let word: UnsafeMutablePointer<Atomic<UInt>>

    /// Creates a reference to nothing.
    init() {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(0))
    }

    /// Identifies the object without counting a reference to it; 0 if there is none.
    @inline(__always)
    var identity: UInt { word.pointee.load(ordering: .acquiring) }

    /// The object; `nil` if there is none.
    @inline(__always)
    var object: Object? { Self.object(identity) }

    /// Returns the object with an ``identity``.
    @inline(__always)
    static func object(_ identity: UInt) -> Object? {
        guard let pointer = UnsafeRawPointer(bitPattern: identity) else { return nil }
        return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Replaces the object.
    func set(_ object: Object?) {
        let bits = object.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
        word.pointee.store(bits, ordering: .releasing)
    }
}
