package import Taffrail

/// A new file that is hidden until it is valid, and then renamed atomically.
package struct HiddenFile: ~Copyable {
    private let file: FileDescriptor
    /// The suffix of hidden names.
    package static let suffix = ".new"
    /// The process is in the upper bits of a hidden name's number.
    private static let processUnit: UInt64 = 1 << 40

    /// Creates a hidden file next to its future name.
    package init(for path: String, mode: UInt32 = 0o600) throws(SystemError) {
        let time = UInt64(bitPattern: SystemClock.monotonicNanoseconds())
        let unique = String(time &+ UInt64(ThisProcess.id) &* Self.processUnit, radix: 36)
        let directory = Directory.parent(of: path) ?? "."
        let name = Self.prefix(path) + unique + Self.suffix
        file = try FileDescriptor(creating: "\(directory)/\(name)", mode: mode)
    }

    private static func prefix(_ path: String) -> String { ".\(FileName.base(of: path))." }

    /// Returns the file under its future name, for messages.
    ///
    /// - Parameter closedInChildren: Whether forked children close it, see ``FileDescriptor/closeInChildren()``.
    package func opened(as path: String, closedInChildren: Bool = false) throws(SystemError) -> FileDescriptor {
        var duplicate = try FileDescriptor.duplicate(file.number, path: path)
        if closedInChildren { duplicate.closeInChildren() }
        return duplicate
    }

    /// Renames the file.
    ///
    /// - Parameter overwrites: Whether to replace an existing file.
    /// - Throws: `EEXIST` when the name exists and is not to be replaced.
    package func rename(to path: String, overwrites: Bool = false) throws(SystemError) {
        guard !overwrites else { return try FileName.rename(file.path, to: path) }
        let code = FileName.renameExclusively(file.path, to: path)
        guard code == 0 else { throw SystemError("create \(path)", code: code) }
    }

    /// Deletes the file, if it cannot be renamed.
    package func remove() { try? FileName.remove(file.path) }

    /// Deletes the hidden files that dead programs created for a path, and no other files of its directory.
    package static func removeLeftovers(of path: String) {
        let directory = Directory.parent(of: path) ?? "."
        let prefix = prefix(path)
        let names = Directory.names(in: directory).filter { name in
            guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
            return UInt64(name.dropFirst(prefix.count).dropLast(suffix.count), radix: 36).map { $0 >= processUnit }
                ?? false
        }
        removeLeftovers(names, in: directory)
    }

    /// Deletes hidden files of dead programs. Those of living ones are locked.
    package static func removeLeftovers(_ names: [String], in directory: String) {
        for name in names where name.hasPrefix(".") && name.hasSuffix(suffix) {
            let path = directory + "/" + name
            if let file = try? FileDescriptor(updating: path), file.lock() { try? FileName.remove(path) }
        }
    }
}
