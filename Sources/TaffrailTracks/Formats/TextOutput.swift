internal import Taffrail
public import TaffrailRecording
internal import TaffrailText

/// A file that appears only when it is complete.
public final class TextOutput {
    /// Bytes that have not been written yet.
    package var bytes: [UInt8] = []
    /// `nil`: all bytes stay in memory.
    private let target: Target?
    private let path: String
    private let overwrites: Bool
    private var offset: Int64 = 0
    private var isFinished = false

    private static let chunk = 256 << 10

    /// The file that is written.
    private final class Target {
        let file: FileDescriptor
        /// The file's name until it is complete; `nil` for stdout.
        let hidden: HiddenFile?

        init(_ file: consuming FileDescriptor, _ hidden: consuming HiddenFile?) {
            self.file = file
            self.hidden = hidden
        }
    }

    /// Creates a file; `-` is stdout.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - overwrites: Whether to replace an existing file, at the end.
    /// - Throws: When it cannot be created; of kind `RecordingError.Kind.taken` if it exists.
    public init(path: String, overwrites: Bool = false) throws(RecordingError) {
        self.path = path
        self.overwrites = overwrites
        do throws(SystemError) {
            if path == "-" {
                target = Target(try FileDescriptor.duplicate(1, path: "standard output"), nil)
            } else {
                if !overwrites && FileName.exists(path) { throw SystemError("create \(path)", code: Errno.taken) }
                HiddenFile.removeLeftovers(of: path)
                let hidden = try HiddenFile(for: path, mode: 0o644)
                // A forked child that has not called `exec` would keep the lock.
                let file = try hidden.opened(as: path, closedInChildren: true)
                // Recorders, and later conversions to this file, delete hidden files that are not locked.
                _ = file.lock()
                target = Target(file, hidden)
            }
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    /// Keeps everything in ``bytes``, and creates no file.
    package init() {
        path = ""
        overwrites = false
        target = nil
    }

    deinit { if !isFinished { target?.hidden?.remove() } }

    /// Appends bytes, which are written by ``finish()`` at the latest.
    public func append(_ more: [UInt8]) { bytes += more }

    /// Writes the buffer if it is large enough.
    package func flushIfLong() throws(RecordingError) { if bytes.count >= Self.chunk { try flush() } }

    private func flush() throws(RecordingError) {
        guard let target else { return }
        do throws(SystemError) { try target.file.write(bytes, at: target.hidden == nil ? nil : offset) } catch {
            throw RecordingError(error, path: path)
        }
        offset += Int64(bytes.count)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the rest, makes the file durable and renames it.
    ///
    /// - Throws: When that fails; the file then does not exist. Of kind `RecordingError.Kind.taken` if a file has
    ///   appeared that must not be replaced.
    public func finish() throws(RecordingError) {
        guard !isFinished else { return }
        try flush()
        if let target, target.hidden != nil {
            do throws(SystemError) {
                try target.file.synchronize(withAttributes: true)
                try target.hidden?.rename(to: path, overwrites: overwrites)
                target.file.unlock()
            } catch {
                throw RecordingError(error, path: path)
            }
        }
        isFinished = true
    }
}
