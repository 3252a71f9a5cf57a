/// A block whose intent could not be resolved: its process was killed in it, and since then the file has been moved,
/// compressed, copied or write-protected, the ring is not where it was, or the machine has been restarted.
///
/// The ring may still have the records. When they are rewritten, those whose lines the file has at the offset of the
/// block, byte for byte, count as written. Lines without a time may be those of other records: what has been written
/// since the intent was found does not count, and neither does another file while this one is whole.
struct UnresolvedBlock {
    let intent: WriteIntent
    /// The offset in the file of the next line to compare.
    private var offset: Int64
    /// The file at the live path when the intent was found.
    private let live: FileStatus?

    init(_ intent: WriteIntent, of log: LogPath) {
        self.intent = intent
        offset = max(0, intent.start)
        live = try? FileStatus.of(log.live)
    }

    /// Returns how many of the first lines of a block are in the file, or in a copy of it in the directory.
    ///
    /// - Parameter block: Lines of the intent's run: from the first record that the ring has for the sink, or after
    ///   those of the last call.
    /// - Returns: `nil` when the file is no longer in the directory, and no copy contains the lines.
    mutating func countLines(of block: borrowing LineBlock, in log: LogPath) -> Int? {
        var last = 0
        while last < block.lineCount, block.position(after: last) <= intent.end { last += 1 }
        guard last > 0 else { return 0 }
        let lines = block.bytes(of: 0..<last)
        var (isThere, common) = (false, 0)
        for entry in (try? Directory.entries(of: log.path)) ?? [] {
            let isNamed = Self.isNamed(entry.name, after: log)
            guard isNamed || entry.inode == intent.file.inode else { continue }
            guard let file = try? FileDescriptor(log.file(entry.name), [.read, .ownFile]),
                let status = try? file.status(), status.isRegular
            else { continue }
            let isOriginal = file.identity(status) == intent.file
            guard isOriginal || isNamed && isLater(status) else { continue }
            let isCompressed = !isOriginal && entry.name.hasSuffix(RotatedName.Compression.gzip.rawValue)
            isThere = isThere || isOriginal
            let size = sizeBefore(status, entry.name, in: log)
            let count = Int(min(Int64(lines.count), max(0, size - offset)))
            let found = (try? bytes(count, of: file, isCompressed: isCompressed)) ?? []
            var length = Self.commonLength(lines, found)
            // The data must survive power loss like the records in the ring.
            if length > 0, (try? file.synchronize()) == nil { length = 0 }
            if isOriginal, min(size, status.size) >= intent.start {
                // No other program has truncated it: missing lines have not been written.
                common = length
                break
            }
            common = max(common, length)
        }
        var (count, length) = (0, 0)
        while count < last, length + block.length(of: count) <= common {
            length += block.length(of: count)
            count += 1
        }
        offset += Int64(length)
        return count > 0 || isThere ? count : nil
    }

    /// Returns whether a file may have been a log, or is a copy of it: `app.log`, `app.log.1.gz`, `app.log-20260105`.
    private static func isNamed(_ name: String, after log: LogPath) -> Bool {
        name == log.base || name.hasPrefix(log.base + ".") || name.hasPrefix(log.base + "-")
            || RotatedName(name, of: log) != nil
    }

    /// Returns whether a file was last written after the creation of the intent's file. Files that were rotated before
    /// it were not, and compressing or copying them does not change that.
    private func isLater(_ status: FileStatus) -> Bool {
        intent.file.birth > 0 && status.modified >= intent.file.birth
    }

    /// Returns a limit for the size that a file had when the intent was found, with the end of a torn line. Only the
    /// live file grows after that.
    private func sizeBefore(_ status: FileStatus, _ name: String, in log: LogPath) -> Int64 {
        if let live, live.inode == status.inode, live.device == status.device { return live.size + 1 }
        // Another live file has been created since.
        return name == log.base ? 0 : .max
    }

    /// Returns the bytes of a file at the offset; fewer at its end.
    private func bytes(
        _ count: Int, of file: borrowing FileDescriptor, isCompressed: Bool
    ) throws(SystemError) -> [UInt8] {
        if isCompressed { return try CompressedFile(file.path).bytes(count, at: offset) }
        return try file.read(count, at: offset)
    }

    private static func commonLength(_ lines: UnsafeRawBufferPointer, _ found: [UInt8]) -> Int {
        let limit = min(lines.count, found.count)
        var length = 0
        while length < limit, lines[length] == found[length] { length += 1 }
        return length
    }
}
