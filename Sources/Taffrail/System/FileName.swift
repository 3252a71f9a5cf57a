internal import CTaffrail
internal import Glibc

/// Names of files.
enum FileName {
    /// What a symbolic link leads to, as it was made; `nil` for what is none.
    static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    /// Renames a file unless the target exists.
    ///
    /// - Returns: 0, or the error number; EEXIST when the target exists.
    static func renameExclusively(_ from: String, to target: String) -> CInt {
        taffrail_rename_exclusive(from, target)
    }
}
