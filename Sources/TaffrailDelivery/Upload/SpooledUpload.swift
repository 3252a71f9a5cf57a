package import Taffrail

/// A spool and the thread that sends it, with the methods of a sink.
///
/// Any thread may call; a sink calls on the writer thread.
package final class SpooledUpload: Sendable {
    package let spool: Spool
    private let uploader: Uploader
    private let book: BookBox
    private let process = ThisProcess.id

    private let now: @Sendable () -> Int64
    private let startTime: Int64

    private final class BookBox: Sendable {
        let book = Locked(SinkBook.none)
        let status = Locked(UploadStatus())
    }

    package init(
        _ options: SpoolOptions, _ upload: UploadOptions, to destination: any Destination,
        clock: UploadClock = UploadClock()
    ) {
        let spool = Spool(options, now: clock.wall)
        let (box, start) = (BookBox(), clock.wall())
        self.spool = spool
        book = box
        now = clock.wall
        startTime = start
        uploader = Uploader(spool, to: destination, options: upload, clock: clock) { status in
            box.status.withLock { $0 = status }
            guard let file = box.book.withLock({ $0 }).status else { return }
            file.publish(status.values(of: spool, now: clock.wall(), since: start))
        }
    }

    /// Whether this is a forked child, which has neither the thread nor the spool's lock.
    package var isOfParent: Bool { process != ThisProcess.id }

    /// Sets the book for losses and the status, and starts to send the records in the spool.
    package func attach(_ book: SinkBook) {
        self.book.book.withLock { $0 = book }
        spool.setBook(book)
        // If the spool cannot be opened now, the first record retries.
        try? start()
    }

    /// Opens the spool. Nothing is sent before a book is attached or a batch appended.
    package func open() throws(SinkError) { try spool.open() }

    /// Opens the spool, if it is not open, and starts to send.
    package func start() throws(SinkError) {
        try spool.open()
        uploader.start()
    }

    /// Appends a batch.
    package func append(_ batch: borrowing RecordBatch) throws(SinkError) {
        guard batch.count > 0 else { return }
        try start()
        try spool.append(batch)
        uploader.notify()
    }

    /// Appends the output of a sink for a batch; see ``SpoolEntry``.
    package func append(_ entry: SpoolEntry) throws(SinkError) {
        try start()
        try spool.append(entry)
        if !entry.records.isEmpty { uploader.notify() }
    }

    /// Returns the position in the queue up to which the spool has the records of a run.
    package func position(in run: RingID) -> UInt64? {
        try? spool.open()
        return spool.position(in: run)
    }

    /// Ends the thread and closes the spool, even if a request has not been answered.
    ///
    /// - Parameter drain: How long to send first, if the destination is working.
    package func close(drain: Duration) throws(SinkError) {
        uploader.stop(drain: drain)
        if let file = book.book.withLock({ $0 }).status {
            file.publish(book.status.withLock { $0 }.values(of: spool, now: now(), since: startTime), isFinal: true)
        }
        defer { spool.close() }
        try spool.flush()
    }
}
