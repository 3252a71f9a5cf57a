package import Taffrail

/// A new file that is hidden until it is valid, and then renamed atomically.
package struct HiddenFile: ~Copyable {
    private let file: FileDescriptor
    /// The suffix of hidden names.
    package static let suffix = ".new"
    /// What precedes the number in a hidden name: users' files do not have such names.
    private static let mark = ".taffrail-"
    /// The age from which a file that is not locked is a leftover. A younger one may be about to be locked, and locks of
    /// other hosts may be invisible.
    private static let leftoverAge = Duration.seconds(3_600)

    /// Creates a hidden file next to its future name.
    package init(for path: String, mode: UInt32 = 0o600) throws(SystemError) {
        // Differs from the numbers of other processes and times; if it does not, the creation fails.
        let number = UInt64(bitPattern: SystemClock.monotonicNanoseconds()) &+ UInt64(ThisProcess.id) << 40
        let directory = Directory.parent(of: path) ?? "."
        let name = Self.prefix(path) + String(number, radix: 36) + Self.suffix
        file = try FileDescriptor(creating: "\(directory)/\(name)", mode: mode)
    }

    private static func prefix(_ path: String) -> String { ".\(FileName.base(of: path))\(mark)" }

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

    /// Deletes the hidden files that dead programs created for a path an hour ago or earlier, and no other files of its
    /// directory.
    package static func removeLeftovers(of path: String) {
        let directory = Directory.parent(of: path) ?? "."
        let prefix = prefix(path).utf8
        let latest = SystemClock.wallNanoseconds() - leftoverAge.nanoseconds
        let names = Directory.names(in: directory).filter { name in
            guard name.utf8.starts(with: prefix), name.hasSuffix(suffix) else { return false }
            let number = Substring(name.utf8.dropFirst(prefix.count).dropLast(suffix.utf8.count))
            guard UInt64(number, radix: 36) != nil, let status = try? FileStatus.of("\(directory)/\(name)") else {
                return false
            }
            return status.isRegular && status.modified <= latest
        }
        removeLeftovers(names, in: directory)
    }

    /// Deletes hidden files of dead programs, also those of earlier versions, whose names contain no mark. Those of
    /// living programs are locked.
    package static func removeLeftovers(_ names: [String], in directory: String) {
        for name in names where name.hasPrefix(".") && name.hasSuffix(suffix) {
            let path = directory + "/" + name
            if let file = try? FileDescriptor(updating: path), file.lock() { try? FileName.remove(path) }
        }
    }
}
