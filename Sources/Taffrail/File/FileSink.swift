/// Writes records to a file, one line each, and rotates it.
///
/// Several sinks, threads and processes may write to one file: every line stays whole, one of them rotates, and all
/// follow. With a durable queue every record is in the file exactly once, even after SIGKILL (decision 0002). When the
/// disk is full or the directory is missing, `write` throws a temporary error with the number of records written, and
/// continues once there is room again.
///
/// Opens nothing before ``open()`` or the first record. One thread at a time may use a sink.
public final class FileSink: Sink {
    /// `file:` and the base name of the live file, unless specified.
    public let name: String
    /// The options it was created with.
    public let options: FileOptions
    /// The program's custom format; `nil`: the format of the options.
    let lineFormat: (any LineFormat)?
    let directory: LogPath
    /// The log, with its own locks and descriptors.
    let makeLog: () -> LockedLog
    var file: LockedLog
    /// The state of encoding; moved out while a batch is written, so that no record pays for accessing it.
    private var workspace: Workspace?
    private let zone: ZoneOffset
    let clock: @Sendable () -> Int64
    /// The run of the current batch.
    private var run = RingID.none
    private var origin = WriteIntent.Origin()
    private let notice: @Sendable (String) -> Void

    /// The maximum number of bytes written under one intent, except for longer lines.
    static let blockLimit = 256 << 10
    /// The fill level at which a block is written, so that most blocks need not be split.
    private static let fillLimit = blockLimit - 4096

    /// Creates a sink without opening anything.
    ///
    /// - Parameters:
    ///   - options: The path and the other options.
    ///   - format: A custom format of the lines, instead of ``FileOptions/format``. Default `nil`: none.
    ///   - name: The name under which the queue stores its position. Default `nil`: `file:` and the base name.
    /// - Throws: ``OptionError`` for options out of range.
    public convenience init(
        _ options: FileOptions, format: (any LineFormat)? = nil, name: String? = nil
    ) throws(OptionError) {
        try self.init(options, format: format, name: name, clock: { SystemClock.wallNanoseconds() })
    }

    /// Creates a sink with a custom clock, time zone and reader of rings.
    init(
        _ options: FileOptions, format: (any LineFormat)? = nil, name: String? = nil, zone: ZoneOffset? = nil,
        clock: @escaping @Sendable () -> Int64,
        readCheckpoint: @escaping RingCheckpoint.Reader = RingCheckpoint.read,
        notice: @escaping @Sendable (String) -> Void = { Diagnostics.report($0) }
    ) throws(OptionError) {
        let log = try options.validLog()
        let zone = zone ?? (options.time == .utc ? .utc : .local)
        self.options = options
        lineFormat = format
        self.clock = clock
        self.notice = notice
        self.name = name ?? "file:" + log.base
        self.zone = zone
        workspace = Workspace(encoder: try LineEncoder(options, format, zone: zone))
        directory = log
        makeLog = {
            LockedLog(log, options, zone: zone, clock: clock, readCheckpoint: readCheckpoint, notice: notice)
        }
        file = makeLog()
        file.rotatesAtStart = options.rotate.atStart
    }

    /// The live file's absolute path.
    public var path: String { directory.live }

    /// The live file's path, with symbolic links resolved if its directory exists.
    public var destinations: [String] { [directory.resolved] }

    /// Opens the file now instead of with the first record: creates it and its directory, completes or rolls back what
    /// a dead process left, and applies retention.
    ///
    /// - Throws: A temporary ``SinkError`` that names what could not be opened.
    public func open() throws(SinkError) {
        do throws(SystemError) { try begin() } catch { throw .temporary("\(error)") }
    }

    /// Does the work of ``open()``.
    func begin() throws(SystemError) {
        try file.begin()
        file.end()
    }

    /// Writes the lines of a batch. When it returns, they survive SIGKILL.
    ///
    /// - Throws: A temporary ``SinkError`` with the exact number of records `taken`.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        guard var work = workspace.take() else { throw .temporary("\(name) is already writing a batch") }
        run = batch.run
        prepare(batch.checkpoint)
        var taken = 0
        var failure: SystemError?
        do throws(SystemError) {
            switch work.encoder {
            case .text(var encoder):
                try write(batch, &encoder, &work.block, &taken)
                work.encoder = .text(encoder)
            case .json(var encoder):
                try write(batch, &encoder, &work.block, &taken)
                work.encoder = .json(encoder)
            case .logfmt(var encoder):
                try write(batch, &encoder, &work.block, &taken)
                work.encoder = .logfmt(encoder)
            case .pattern(var encoder):
                try write(batch, &encoder, &work.block, &taken)
                work.encoder = .pattern(encoder)
            case .format(var encoder):
                try write(batch, &encoder, &work.block, &taken)
                work.encoder = .format(encoder)
            }
        } catch {
            failure = error
        }
        let highest = work.block.highest
        work.block.removeAll()
        workspace = consume work
        if let failure { throw .temporary("\(failure)", taken: taken) }
        if let flushLevel = options.flushLevel, highest >= flushLevel, !file.unsynchronized.hasLostWrites {
            try flush(taken: taken)
        }
    }

    /// Makes everything written so far survive power loss, including rotated files and their names.
    ///
    /// - Throws: A temporary ``SinkError``, or a permanent one after the system has failed to write data out, until the
    ///   affected file is deleted.
    public func flush() throws(SinkError) { try flush(taken: 0) }

    /// Flushes, and closes the file.
    ///
    /// - Throws: A temporary ``SinkError``; the file is closed nevertheless.
    public func close() throws(SinkError) { try close(within: .seconds(2)) }

    /// Flushes, and closes the file. Compression that takes longer than a limit, at most 2 s, is left to the next run.
    ///
    /// - Throws: A temporary ``SinkError``; the file is closed nevertheless.
    public func close(within limit: Duration) throws(SinkError) {
        defer { file.close() }
        file.compressor?.finish(until: SystemClock.monotonicNanoseconds() + min(limit, .seconds(2)).nanoseconds)
        try flush()
    }

    /// Reopens the file with a new lock: in a forked child, and on request.
    ///
    /// - Throws: A temporary ``SinkError`` that names what could not be opened.
    public func reopen() throws(SinkError) {
        file.close()
        ZoneOffset.reload()
        // In a child that was forked during a write it is the parent's; the options were valid.
        if workspace == nil, let encoder = try? LineEncoder(options, lineFormat, zone: zone) {
            workspace = Workspace(encoder: encoder)
        }
        try open()
    }

    private func flush(taken: Int) throws(SinkError) {
        do throws(SystemError) {
            try file.synchronize()
        } catch {
            // The record is not refused: it is in the file.
            let isLost = file.unsynchronized.hasLostWrites && taken == 0
            throw SinkError(isLost ? .permanent : .temporary, taken: taken, reason: "\(error)")
        }
    }

    private func prepare(_ checkpoint: SinkCheckpoint?) {
        guard origin.set(checkpoint, of: file.log.followed) else { return }
        notice(
            "\(name): the path of the queue exceeds \(WriteIntent.longestText) bytes: records being written when the process"
                + " is killed may be written twice")
    }

    private func write(
        _ batch: borrowing RecordBatch, _ encoder: inout some LineEncoding, _ block: inout LineBlock,
        _ taken: inout Int
    ) throws(SystemError) {
        // Without `forEach`, whose closure would cost a call per record.
        if batch.isCopied { return try writeCopies(batch, &encoder, &block, &taken) }
        var offset = 0
        while offset < batch.length {
            let record = batch.base + offset
            offset &+= RecordLayout.length(of: record)
            let view = RecordView(record, run: batch.run, end: batch.start &+ UInt64(offset), tables: batch.tables)
            block.append(view, &encoder)
            if block.count >= Self.fillLimit { try commit(&block, &taken) }
        }
        if !block.isEmpty { try commit(&block, &taken) }
    }

    /// Writes records that are no longer in the ring and carry their positions. Separate, because the test for it in the
    /// loop would cost each record instructions.
    private func writeCopies(
        _ batch: borrowing RecordBatch, _ encoder: inout some LineEncoding, _ block: inout LineBlock,
        _ taken: inout Int
    ) throws(SystemError) {
        var offset = 0
        while offset < batch.length {
            let record = batch.base + offset
            let view = RecordView(record, run: batch.run, end: batch.end(ofRecordAt: offset), tables: batch.tables)
            offset &+= RecordLayout.length(of: record)
            block.append(view, &encoder)
            if block.count >= Self.fillLimit { try commit(&block, &taken) }
        }
        if !block.isEmpty { try commit(&block, &taken) }
    }

    /// Writes the block, in as many parts as the limits require.
    @inline(never)
    private func commit(_ block: inout LineBlock, _ taken: inout Int) throws(SystemError) {
        try file.begin()
        defer { file.end() }
        var next = file.intents.skipWritten(block, origin, of: file.log, notice)
        taken += next
        while next < block.lineCount {
            let count = try writePart(of: block, from: next)
            next += count
            taken += count
        }
        block.removeLines()
    }

    /// Writes the lines, starting at an index, that fit the live file, after rotating it if due.
    ///
    /// - Returns: The number of lines.
    private func writePart(of block: borrowing LineBlock, from first: Int) throws(SystemError) -> Int {
        var last = block.lineCount
        let now = clock()
        if file.isDue(at: now) {
            if now < file.periodEnd &+ RotationSchedule.grace && now >= file.periodEnd {
                last = block.firstLine(from: first, notBefore: file.periodEnd)
            } else {
                last = first
            }
            if last == first {
                _ = try file.rotateOrReport(at: now)
                last = block.lineCount
            }
        }
        var room = Self.blockLimit
        if let limit = options.rotate.size?.bytes {
            var isInLimit = file.size == 0 || block.length(of: first) <= limit - Int(file.size)
            // If rotation fails, the file grows: a limit is no reason to lose records.
            if !isInLimit { isInLimit = try file.rotateOrReport(at: now) }
            if isInLimit { room = min(room, limit - Int(file.size)) }
        }
        last = block.lastLine(from: first, to: last, in: room)
        return try write(first..<last, of: block)
    }

    /// Writes some lines. On a full disk, writes as many as fit before throwing.
    private func write(_ range: Range<Int>, of block: borrowing LineBlock) throws(SystemError) -> Int {
        guard var (failure, room) = append(range, of: block) else { return range.count }
        if failure.code == Errno.full, options.rotate.free != nil, file.applyRetention(at: clock()) {
            guard let again = append(range, of: block) else { return range.count }
            (failure, room) = again
        }
        let fits = range.lowerBound..<block.lastLine(from: range.lowerBound, to: range.upperBound, in: room)
        guard block.bytes(of: fits).count <= room,
            append(fits, of: block) == nil
        else { throw failure }
        return fits.count
    }

    private func append(_ range: Range<Int>, of block: borrowing LineBlock) -> (failure: SystemError, room: Int)? {
        file.append(
            block.bytes(of: range), origin, end: block.position(after: range.upperBound - 1),
            block.extent(of: range, run: run))
    }

    private struct Workspace: ~Copyable {
        var encoder: LineEncoder
        var block = LineBlock()
    }
}
