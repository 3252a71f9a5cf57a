#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif
package import Taffrail

extension File {
    /// Deletes a file.
    package static func remove(_ path: String) throws(SystemFailure) {
        guard unlink(path) == 0 else { throw SystemFailure("delete \(path)") }
    }

    /// Gives a file another name; what had that name before is gone.
    package static func rename(_ path: String, to other: String) throws(SystemFailure) {
        #if canImport(Glibc)
        guard Glibc.rename(path, other) == 0 else { throw SystemFailure("rename \(path)") }
        #else
        guard Darwin.rename(path, other) == 0 else { throw SystemFailure("rename \(path)") }
        #endif
    }

    /// Makes a folder and those above it that are missing, readable by their owner only.
    package static func makeDirectory(_ path: String) throws(SystemFailure) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT else { throw SystemFailure("create \(path)") }
        try makeDirectory(directory(of: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure("create \(path)") }
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
        get throws(SystemFailure) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw SystemFailure("stat \(path)") }
            #if canImport(Glibc)
            let time = status.st_mtim
            #else
            let time = status.st_mtimespec
            #endif
            return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        }
    }

    /// Copies another file, up to its last byte that is no space.
    package func copyText(from other: borrowing File) throws(SystemFailure) {
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
        guard end > 0 else { return }
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
