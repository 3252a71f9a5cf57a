/// A directory on a small disk where this machine lets us mount one, else a temporary one.
package final class FillableDirectory: Sendable {
    private let disk: SmallDisk?
    package let directory: TemporaryDirectory

    package init(_ size: String) {
        disk = SmallDisk.isPossible ? try? SmallDisk(size) : nil
        directory = disk?.directory ?? TemporaryDirectory()
    }

    package func file(_ name: String) -> String { directory.file(name) }

    /// Fills the disk. Returns whether there is one.
    package func fill() throws -> Bool {
        try disk?.fill()
        return disk != nil
    }

    /// Makes room again.
    package func free() throws { try disk?.free() }
}
