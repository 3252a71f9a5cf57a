internal import CTaffrail
internal import Glibc

/// Operations on files by name.
package enum FileName {
    /// Returns the last name in a path; the path itself if that has none.
    package static func base(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns the target of a symbolic link, unresolved; `nil` if the name is not a link.
    package static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    /// Returns whether a name exists, following symbolic links.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns whether a name is known not to exist.
    package static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    /// Deletes a file.
    package static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 else { throw SystemError("delete \(path)") }
    }

    /// Deletes a file, if it exists.
    package static func removeIfPresent(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("delete \(path)") }
    }

    /// Renames a file; replaces the target.
    package static func rename(_ path: String, to other: String) throws(SystemError) {
        guard Glibc.rename(path, other) == 0 else { throw SystemError("rename \(path)") }
    }

    /// Replaces a file's contents atomically: other processes see the old file or the new one, and so does a reader
    /// after a power loss.
    ///
    /// - Parameters:
    ///   - directory: Its owner gets a file that root creates, if no one else may write to it. `nil`: root keeps it.
    ///   - temporary: The path of the new file until it is complete, if several processes may replace the file.
    ///   - mode: The rights of the new file, before the umask.
    ///   - isDurable: Whether to wait for the disk. Otherwise the file may be empty after a power loss.
    package static func replace(
        _ path: String, with bytes: [UInt8], forOwnerOf directory: String?, by temporary: String? = nil,
        mode: UInt32 = 0o600, isDurable: Bool = true
    ) throws(SystemError) {
        let temporary = temporary ?? path + ".tmp"
        unlink(temporary)
        let file = try FileDescriptor(creating: temporary, mode: mode)
        do throws(SystemError) {
            try file.write(bytes)
            if let directory { file.handOver(toOwnerOf: directory) }
            if isDurable { try file.synchronize() }
            try rename(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Renames a file unless the target exists.
    ///
    /// - Returns: 0, or the error number; EEXIST when the target exists.
    package static func renameExclusively(_ from: String, to target: String) -> CInt {
        taffrail_rename_exclusive(from, target)
    }

    /// Creates a symbolic link, unless the name exists.
    package static func symlink(_ target: String, at path: String) throws(SystemError) {
        guard Glibc.symlink(target, path) == 0 else { throw SystemError("link \(path)") }
    }
}
