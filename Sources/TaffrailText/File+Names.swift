internal import Glibc
package import Taffrail

extension File {
    /// Deletes a file.
    package static func remove(_ path: String) throws(SystemError) {
        let code = FileNames.remove(path)
        guard code == 0 else { throw SystemError("delete \(path)", code: code) }
    }

    /// Gives a file another name; what had that name before is gone.
    package static func rename(_ path: String, to other: String) throws(SystemError) {
        let code = FileNames.rename(path, to: other, mayReplace: true)
        guard code == 0 else { throw SystemError("rename \(path)", code: code) }
    }

    /// Makes a folder and those above it that are missing, readable by their owner only.
    package static func makeDirectory(_ path: String) throws(SystemError) {
        var code = FileNames.makeDirectory(path)
        if code == ENOENT && directory(of: path) != path {
            try makeDirectory(directory(of: path))
            code = FileNames.makeDirectory(path)
        }
        guard code == 0 || code == EEXIST else { throw SystemError("create \(path)", code: code) }
    }

    /// Makes a folder where it is missing, and sees that files can be made in it.
    package static func prepareDirectory(_ path: String) throws(SystemError) {
        try makeDirectory(path)
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemError("open the folder \(path)") }
        close(folder)
        guard access(path, W_OK | X_OK) == 0 else { throw SystemError("write to \(path)") }
    }

    /// The folder of a path.
    package static func directory(of path: String) -> String {
        var path = path[...]
        while path.count > 1 && path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// When the file was last written.
    package var modified: Timestamp {
        get throws(SystemError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw SystemError("stat \(path)") }
            let time = status.st_mtim
            return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        }
    }

    /// Copies another file, a text up to its last byte that is no space.
    package func copy(from other: borrowing File, isText: Bool) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var place = 0
        var end = 0
        while true {
            let count = try other.read(into: buffer, at: place)
            if count == 0 { break }
            if let failure = write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: place).failure {
                throw failure
            }
            if let last = buffer[..<count].lastIndex(where: { $0 > 32 }) { end = place + last + 1 }
            place += count
        }
        guard isText, end > 0 else { return }
        if let failure = "\n".utf8.withContiguousStorageIfAvailable({
            write(UnsafeRawBufferPointer($0), at: end).failure
        }),
            let failure
        {
            throw failure
        }
        try truncate(to: end + 1)
    }
}
