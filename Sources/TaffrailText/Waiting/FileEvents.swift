internal import Glibc

/// File events in directories, from inotify. One thread at a time.
package final class FileEvents {
    /// Readable when there is an event; negative if the system could not create it.
    package let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    package init() {}

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches a directory for the events of a mask, and returns the watch's number, negative if that fails.
    package func watch(_ directory: String, for mask: Int) -> CInt {
        inotify_add_watch(descriptor, directory, UInt32(mask))
    }

    /// Removes a watch.
    package func remove(_ watch: CInt) { _ = inotify_rm_watch(descriptor, watch) }

    /// Calls `body` with the watch, the mask and the file name of each event that has occurred.
    package func takeAll(_ body: (_ watch: CInt, _ mask: UInt32, _ name: Slice<UnsafeRawBufferPointer>) -> Void) {
        let head = MemoryLayout<inotify_event>.size
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            buffer.withUnsafeBytes { bytes in
                var offset = 0
                while offset + head <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let end = min(count, offset + head + Int(event.len))
                    body(event.wd, event.mask, bytes[(offset + head)..<end].prefix { $0 != 0 })
                    offset = end
                }
            }
        }
    }
}
