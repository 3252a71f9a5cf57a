/// A block whose intent could not be resolved: its process was killed in it, and since then the file has been moved,
/// compressed, copied or write-protected, the ring is not where it was, or the machine has been restarted.
///
/// The ring may still have the records. When they are rewritten, those whose lines the file has at the offset of the
/// block, byte for byte, count as written. Lines without a time could belong to other records, so lines written after
/// the intent was found are not compared, and other files only if this file has been truncated.
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
            // Files that were rotated before the creation of the intent's file were last written before it, and
            // compressing or copying them does not change that.
            let isLater = intent.file.birth > 0 && status.modified >= intent.file.birth
            guard isOriginal || isNamed && isLater else { continue }
            let isCompressed = !isOriginal && entry.name.hasSuffix(RotatedName.Compression.gzip.rawValue)
            isThere = isThere || isOriginal
            let size = sizeBefore(status, entry.name, in: log)
            let count = Int(min(Int64(lines.count), max(0, size - offset)))
            let bytes =
                isCompressed
                ? try? CompressedFile(file.path).bytes(count, at: offset) : try? file.read(count, at: offset)
            let found = bytes ?? []
            var length = 0
            while length < found.count, lines[length] == found[length] { length += 1 }
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

    /// Returns a limit for the size that a file had when the intent was found, with the end of a torn line. Only the
    /// live file grows after that.
    private func sizeBefore(_ status: FileStatus, _ name: String, in log: LogPath) -> Int64 {
        if let live, live.inode == status.inode, live.device == status.device { return live.size.addingClamped(1) }
        // Another live file has been created since.
        return name == log.base ? 0 : .max
    }
}
