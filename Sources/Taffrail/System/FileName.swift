internal import CTaffrail
internal import Glibc

/// What is done to files by their names.
package enum FileName {
    /// What a symbolic link leads to, as it was made; `nil` for what is none.
    static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    /// Whether something has that name, a symbolic link followed.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether nothing has that name, which is not so where that is only unknown.
    static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    /// Deletes a file.
    package static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 else { throw SystemError("delete \(path)") }
    }

    /// Deletes a file, if it exists.
    package static func removeIfPresent(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("delete \(path)") }
    }

    /// Gives a file another name; what had that name before is gone.
    package static func rename(_ path: String, to other: String) throws(SystemError) {
        guard Glibc.rename(path, other) == 0 else { throw SystemError("rename \(path)") }
    }

    /// Replaces a file's contents, all of them or none: what others see is the old file or the new one. After a power
    /// loss it is one of them too.
    ///
    /// - Parameter directory: Its owner gets what root makes, where no one else may write.
    static func replace(_ path: String, with bytes: [UInt8], forOwnerOf directory: String) throws(SystemError) {
        let temporary = path + ".tmp"
        unlink(temporary)
        let file = try FileDescriptor(creating: temporary)
        do throws(SystemError) {
            try file.write(bytes)
            file.handOver(toOwnerOf: directory)
            try file.synchronize()
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

    /// Gives a file a second name, that of no other file.
    package static func link(_ path: String, to other: String) throws(SystemError) {
        guard Glibc.link(path, other) == 0 else { throw SystemError("link \(other)") }
    }

    /// Makes a symbolic link, unless something has its name.
    package static func symlink(_ target: String, at path: String) throws(SystemError) {
        guard Glibc.symlink(target, path) == 0 else { throw SystemError("link \(path)") }
    }
}
