/// A directory on a small disk if this machine permits mounting one, else a temporary directory.
package final class FillableDirectory: Sendable {
    private let disk: SmallDisk?
    package let directory: TemporaryDirectory

    package init(_ size: String) {
        disk = SmallDisk.isPossible ? try? SmallDisk(size) : nil
        directory = disk?.directory ?? TemporaryDirectory()
    }

    package func file(_ name: String) -> String { directory.file(name) }

    /// Fills the disk. Returns whether there is such a disk.
    package func fill() throws -> Bool {
        try disk?.fill()
        return disk != nil
    }

    /// Frees space again.
    package func free() throws { try disk?.free() }
}
