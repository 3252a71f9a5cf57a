internal import Taffrail
internal import TaffrailText

/// The bytes of a recording at the time it was opened, although its recorder may continue to write it. Events are only
/// added; the bytes after the last one, which each step replaces, are kept in memory.
final class RecordingSnapshot: ByteSource {
    private let file: FileDescriptor
    /// The offset after the last event.
    private let end: Int
    private let rest: [UInt8]
    private var offset = 0

    /// Takes ownership of a file.
    init(_ file: consuming FileDescriptor, _ found: RecordingProbe.Continuation) {
        self.file = file
        end = found.end
        rest = found.rest + [UInt8(ascii: "\n")]
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        guard offset >= end else {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, end - offset)])
            let count = try file.read(into: part, at: Int64(offset))
            offset += count
            return count
        }
        let left = rest[(offset - end)...].prefix(buffer.count)
        buffer.copyBytes(from: left)
        offset += left.count
        return left.count
    }
}
