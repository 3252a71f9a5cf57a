package import Taffrail

/// The contents of a spool for a command, while another program may be using it.
package struct SpoolInspection {
    /// A summary of the records in a spool.
    package struct Summary: Sendable {
        package var segments = 0
        package var bytes: Int64 = 0
        package var records: UInt64 = 0
        package var losses: UInt64 = 0
        /// The time of the oldest record that has not been sent, ns since 1970.
        package var oldest: Int64?
        package var newest: Int64?
        package var deadLetters = 0
        package var failures: UInt32 = 0
        /// The time at which the next attempt is allowed, ns since 1970; 0: at once.
        package var notBefore: Int64 = 0
    }

    package let directory: String
    private let view: SpoolView

    /// Reads what a spool's directory contains.
    package init(_ directory: String) throws(SystemError) { try self.init(directory, beforeSegments: {}) }

    /// - Parameter next: Called between reading the cursor and listing the segments.
    init(_ directory: String, beforeSegments next: () -> Void) throws(SystemError) {
        self.directory = directory
        // Read first: with a list older than the cursor, everything would appear resolved, whatever later segments
        // have.
        let cursor = SpoolCursorFile.read(directory: directory) ?? SpoolCursor()
        next()
        var segments: [SpoolView.Segment] = []
        for number in try SpoolSegment.numbers(in: directory) {
            guard let status = try? FileStatus.of(SpoolSegment.path(number, in: directory)) else { continue }
            segments.append(SpoolView.Segment(number: number, size: status.size, newest: status.modified))
        }
        var view = SpoolView(directory: directory, segments: segments, cursor: cursor)
        view.noteDropsAfterFlying()
        self.view = view
    }

    /// Calls `body` with the records that have not been sent, in order.
    package func forEach<E: Error>(
        _ body: (borrowing RecordView) throws(E) -> Void, failed: (SystemError) -> Void = { _ in }
    ) throws(E) {
        var reader = SpoolReader()
        var view = view
        while true {
            let batch: SpoolBatch
            do throws(SystemError) { batch = try reader.read(view, SpoolReader.Limits()) } catch {
                return failed(error)
            }
            guard batch.end != view.cursor.position else { return }
            _ = try batch.withRecords { (records) throws(E) in try records.forEach(body) }
            view.cursor.position = batch.end
        }
    }

    /// Counts the records that have not been sent.
    package func summary() throws(SystemError) -> Summary {
        var summary = Summary()
        summary.segments = view.segments.count
        summary.failures = view.cursor.failures
        summary.notBefore = view.cursor.notBefore
        var reader = SpoolReader()
        var view = view
        while true {
            let batch = try reader.read(view, SpoolReader.Limits())
            guard batch.end != view.cursor.position else { break }
            summary.records += UInt64(batch.count)
            summary.bytes += Int64(batch.bytes.count)
            // The last frame may be being written.
            summary.losses += batch.losses.reduce(0) { $0 + ($1.sequences == nil ? 0 : $1.count) }
            if batch.count > 0 {
                summary.oldest = summary.oldest ?? batch.time
                summary.newest = batch.time
            }
            view.cursor.position = batch.end
        }
        summary.deadLetters = try DeadLetters.read(DeadLetters.path(in: directory)).count
        return summary
    }
}
