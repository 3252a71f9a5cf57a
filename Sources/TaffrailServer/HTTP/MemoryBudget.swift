internal import Taffrail

/// The memory that the bodies of all connections share.
final class MemoryBudget: Sendable {
    /// The total size, in bytes.
    let size: Int
    private let free: Locked<Int>

    init(_ bytes: Int) {
        size = bytes
        free = Locked(bytes)
    }

    /// Reserves bytes; returns `false` if not enough are left.
    func take(_ bytes: Int) -> Bool {
        free.withLock { free in
            guard bytes <= free else { return false }
            free -= bytes
            return true
        }
    }

    /// Releases bytes.
    func give(_ bytes: Int) { free.withLock { $0 += bytes } }
}
