internal import Glibc
internal import Taffrail
internal import Testing

/// A small disk with a given file system, for the duration of a test. Requires root.
package final class LoopDisk: Sendable {
    /// The files on the disk.
    package enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case ext4, btrfs
        case overlayOverExt4 = "overlay over ext4"
        case overlayOverBtrfs = "overlay over btrfs"

        package var isOverlay: Bool { self == .overlayOverExt4 || self == .overlayOverBtrfs }
        package var isBtrfs: Bool { self == .btrfs || self == .overlayOverBtrfs }
        package var testDescription: String { rawValue }

        /// The reason why this machine cannot create one; `nil` if it can.
        package var obstacle: String? { Kind.obstacles[self] ?? nil }

        private static let obstacles: [Kind: String] = {
            var obstacles: [Kind: String] = [:]
            for kind in allCases {
                do { _ = try LoopDisk(kind) } catch { obstacles[kind] = "\(error)" }
            }
            return obstacles
        }()

        /// Those that this machine can have.
        package static let possible = allCases.filter { $0.obstacle == nil }
    }

    /// The directory on the disk.
    package let directory: TemporaryDirectory
    private let outside = TemporaryDirectory()
    private let lower: TemporaryDirectory?

    package init(_ kind: Kind, size: String = "128M") throws {
        guard geteuid() == 0 else { throw SystemError("mount a \(kind.rawValue): not root", code: EPERM) }
        let disk = TemporaryDirectory()
        let image = outside.file("image")
        try Self.run("truncate", "-s", size, image)
        if kind.isBtrfs {
            try Self.run("mkfs.btrfs", "-q", "-d", "single", "-m", "single", image)
        } else {
            try Self.run("mkfs.ext4", "-q", "-m", "0", image)
        }
        try Self.run("mount", "-o", "loop", image, disk.path)
        guard kind.isOverlay else {
            directory = disk
            lower = nil
            try? Self.run("rmdir", disk.file("lost+found"))
            return
        }
        lower = disk
        directory = TemporaryDirectory()
        for name in ["lower", "upper", "work"] { mkdir(disk.file(name), 0o755) }
        let layers = ["lowerdir=\(disk.path)/lower", "upperdir=\(disk.path)/upper", "workdir=\(disk.path)/work"]
        do {
            try Self.run("mount", "-t", "overlay", "overlay", "-o", layers.joined(separator: ","), directory.path)
        } catch {
            umount2(disk.path, CInt(MNT_DETACH))
            throw error
        }
    }

    deinit {
        umount2(directory.path, CInt(MNT_DETACH))
        if let lower { umount2(lower.path, CInt(MNT_DETACH)) }
    }

    /// Writes out everything, and fills the disk up.
    package func fill() throws { try directory.fill(next: sync) }

    /// Makes space again.
    package func free() throws {
        try directory.removeFiller()
        sync()
    }

    private func sync() { try? Self.run("sync", "-f", directory.path) }

    private static func run(_ command: String...) throws {
        let process = try Program(Array(command.dropFirst()), of: command[0], errors: "/dev/null")
        let end = process.end()
        guard end == .exited(0) else { throw SystemError("\(command.joined(separator: " ")): \(end)", code: EPERM) }
    }
}
