internal import CTaffrail
internal import Glibc

/// Mapped memory, unmapped on deinitialization.
package struct MemoryMap: ~Copyable, @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let length: Int

    deinit { munmap(base, length) }

    /// Leaves the memory mapped permanently.
    consuming func leak() -> UnsafeMutableRawPointer {
        let base = base
        discard self
        return base
    }

    /// Returns zeroed private memory that is never freed. With `wipedOnFork` it is zeroed again in a forked child.
    static func permanent(_ length: Int, wipedOnFork: Bool = false) -> UnsafeMutableRawPointer {
        guard let base = try? map(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) else {
            let base = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 4096)
            base.initializeMemory(as: UInt8.self, repeating: 0, count: length)
            return base
        }
        if wipedOnFork { madvise(base, length, CInt(TAFFRAIL_MADV_WIPEONFORK)) }
        return base
    }

    /// Maps a part of a file, shared with it.
    package static func shared(fd: CInt, offset: Int, length: Int) throws(SystemError) -> MemoryMap {
        MemoryMap(base: try map(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset), length: length)
    }

    /// Maps a file from its start, only for reading.
    package static func readOnly(fd: CInt, length: Int) throws(SystemError) -> MemoryMap {
        MemoryMap(base: try map(nil, length, PROT_READ, MAP_SHARED, fd, 0), length: length)
    }

    /// Maps a part of a shared file twice in a row, so that data that wraps around is contiguous.
    static func mirrored(fd: CInt, offset: Int, length: Int) throws(SystemError) -> MemoryMap {
        let base = try map(nil, 2 * length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        let whole = MemoryMap(base: base, length: 2 * length)
        for half in 0..<2 {
            _ = try map(base + half * length, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset)
        }
        // So that log calls need not wait for a page.
        populate(base, length)
        return whole
    }

    /// Populates pages for writing, so that no later access waits for them. Kernels before 5.14 refuse.
    package static func populate(_ start: UnsafeMutableRawPointer, _ length: Int) {
        madvise(start, length, CInt(TAFFRAIL_MADV_POPULATE_WRITE))
    }

    /// Frees pages of a shared file, which are zero afterwards. Some file systems refuse.
    static func discard(_ start: UnsafeMutableRawPointer, _ length: Int) { madvise(start, length, MADV_REMOVE) }

    private static func map(
        _ address: UnsafeMutableRawPointer?, _ length: Int, _ protection: CInt, _ flags: CInt, _ fd: CInt, _ offset: Int
    ) throws(SystemError) -> UnsafeMutableRawPointer {
        guard let base = mmap(address, length, protection, flags, fd, off_t(offset)), base != MAP_FAILED else {
            throw SystemError("mmap \(length) bytes")
        }
        return base
    }
}
