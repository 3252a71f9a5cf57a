import Glibc
public import Taffrail

/// Appends a row for each record: time, level, logger, message (RFC 4180).
public final class CSVSink: Sink {
    /// The instance's name.
    public let name: String
    private let options: CSVOptions
    private var descriptor: CInt = -1

    /// Creates a sink. The file is opened with the first record.
    public init(_ options: CSVOptions, name: String = "csv") {
        self.options = options
        self.name = name
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Writes the rows. A partial write is truncated, so that nothing was taken.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var rows = ""
        batch.forEach { rows += row($0) }
        guard !rows.isEmpty else { return }
        try open()
        let start = lseek(descriptor, 0, SEEK_END)
        let bytes = Array(rows.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let error = failure("write")
                ftruncate(descriptor, start)
                throw error
            }
            written += count
        }
    }

    /// Makes the rows survive power loss.
    public func flush() throws(SinkError) {
        if descriptor >= 0 && fdatasync(descriptor) != 0 { throw failure("sync") }
    }

    /// Flushes and closes the file.
    public func close() throws(SinkError) {
        defer { shut() }
        try flush()
    }

    /// Reopens the file: another program may have moved it away.
    public func reopen() throws(SinkError) { shut() }

    private func open() throws(SinkError) {
        guard descriptor < 0 else { return }
        descriptor = Glibc.open(options.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
        if descriptor < 0 { throw failure("open") }
    }

    private func shut() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// A disk may get space again, a directory may return: the writer retries.
    private func failure(_ operation: String) -> SinkError {
        .temporary("\(operation) \(options.path): \(String(cString: strerror(errno)))")
    }

    private func row(_ record: borrowing RecordView) -> String {
        [record.timestamp.nanoseconds.description, record.level.name, record.logger, record.message]
            .map(quoted).joined(separator: options.separator) + "\r\n"
    }

    private func quoted(_ text: String) -> String {
        let needsQuotes = text.unicodeScalars.contains { "\"\r\n,;\t".unicodeScalars.contains($0) }
        return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }
}
