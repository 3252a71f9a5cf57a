internal import Taffrail
public import TaffrailRecording
internal import TaffrailText

/// A file that is being written: it has its name only when it is complete.
public final class TextOutput {
    /// What has not been written yet.
    package var bytes: [UInt8] = []
    private let file: FileDescriptor
    private let path: String
    private let temporary: String?
    private var place: Int64 = 0
    private var isFinished = false

    private static let chunk = 256 << 10

    /// Makes a file; `-` is the standard output.
    ///
    /// - Parameter overwrites: Whether a file of that name is replaced, at the end.
    /// - Throws: When it cannot be made; of kind ``RecordingError/Kind/taken`` when there is one.
    public init(path: String, overwrites: Bool = false) throws(RecordingError) {
        self.path = path
        do throws(SystemError) {
            if path == "-" {
                temporary = nil
                file = try .duplicate(1, path: "standard output")
            } else {
                if !overwrites && FileName.exists(path) { throw SystemError("create \(path)", code: Errno.taken) }
                let name = "\(path).\(ThisProcess.id).part"
                try FileName.removeIfPresent(name)
                file = try FileDescriptor(creating: name, mode: 0o644)
                temporary = name
            }
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    deinit { if !isFinished, let temporary { try? FileName.remove(temporary) } }

    /// Adds bytes, which are written at the latest by ``finish()``.
    public func append(_ more: [UInt8]) { bytes += more }

    /// Writes when there is enough to write.
    package func flushIfLong() throws(RecordingError) { if bytes.count >= Self.chunk { try flush() } }

    private func flush() throws(RecordingError) {
        do throws(SystemError) { try file.write(bytes, at: temporary == nil ? nil : place) } catch {
            throw RecordingError(error, path: path)
        }
        place += Int64(bytes.count)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the rest, makes it durable and gives the file its name.
    ///
    /// - Throws: When that is not possible; then there is no file.
    public func finish() throws(RecordingError) {
        guard !isFinished else { return }
        try flush()
        if let temporary {
            do throws(SystemError) {
                try file.synchronize(withAttributes: true)
                try FileName.rename(temporary, to: path)
            } catch {
                throw RecordingError(error, path: path)
            }
        }
        isFinished = true
    }
}
