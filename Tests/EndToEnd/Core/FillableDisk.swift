import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// A disk with little room, which a test fills up and gives more room.
final class FillableDisk: @unchecked Sendable {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case tmpfs, ext4

        var testDescription: String { rawValue }

        /// Why this machine cannot have one; `nil` where it can.
        var obstacle: String? {
            switch self {
            case .tmpfs: SmallDisk.isPossible ? nil : "mounting a small file system needs root"
            case .ext4: LoopDisk.Kind.ext4.obstacle
            }
        }

        /// Those that this machine can have.
        static let possible = allCases.filter { $0.obstacle == nil }
    }

    private enum Disk {
        case memory(SmallDisk)
        case loop(LoopDisk)
    }

    let directory: TemporaryDirectory
    private let disk: Disk
    /// The size of a disk in memory, or that of the file that takes the room of another one.
    private var kibibytes: Int

    /// - Parameter kibibytes: The free space.
    init(_ kind: Kind, kibibytes: Int) throws {
        switch kind {
        case .tmpfs:
            let made = try SmallDisk("\(kibibytes)k")
            (disk, directory, self.kibibytes) = (.memory(made), made.directory, kibibytes)
        case .ext4:
            let made = try LoopDisk(.ext4)
            (disk, directory) = (.loop(made), made.directory)
            try made.fill()
            guard rename(directory.file("filler"), directory.file("ballast")) == 0 else { throw SystemError("rename") }
            self.kibibytes = Int(directory.size("ballast") >> 10)
            try addRoom(kibibytes: kibibytes)
        }
    }

    func fill() throws {
        switch disk {
        case .memory(let disk): try disk.fill()
        case .loop(let disk): try disk.fill()
        }
    }

    func free() throws {
        switch disk {
        case .memory(let disk): try disk.free()
        case .loop(let disk): try disk.free()
        }
    }

    func addRoom(kibibytes more: Int) throws {
        switch disk {
        case .memory(let disk):
            kibibytes += more
            try disk.grow("\(kibibytes)k")
        case .loop(let disk):
            kibibytes -= more
            try #require(kibibytes > 0, "the disk is too small for the test")
            guard truncate(directory.file("ballast"), off_t(kibibytes << 10)) == 0 else {
                throw SystemError("truncate")
            }
            try disk.free()
        }
    }
}
