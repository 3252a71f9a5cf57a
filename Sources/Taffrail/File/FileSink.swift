/// Writes records to a file, one line each, and rotates it.
///
/// Several sinks, threads and processes may write to one file: every line stays whole, one of them rotates, and all
/// follow. With a durable queue every record is in the file exactly once, also after SIGKILL (decision 0002). When
/// the disk is full or the directory gone, `write` throws a temporary error that tells how far it came, and goes on
/// once there is room again.
///
/// Nothing is opened before ``open()`` or the first record. One thread at a time may use a sink.
public final class FileSink: Sink {
    /// `file:` and the base name of the live file, unless another was given.
    public let name: String
    /// What it was made with.
    public let options: FileOptions

    let directory: LogPath
    /// A log with locks and descriptors of its own.
    let makeLog: () -> LockedLog
    private var file: LockedLog
    /// What lines are made with; taken out while a batch is written, so that no record pays for reaching it.
    private var workspace: Workspace?
    let clock: @Sendable () -> Int64
    /// The run of the batch that is being written.
    private var run = RingID.none
    /// The checkpoint whose ring's path has been made ready for intents, and that path.
    private var origin: (checkpoint: SinkCheckpoint, ring: [UInt8])?
    private let notice: @Sendable (String) -> Void
    private var hasReportedRingPath = false

    /// The most that is written under one intent, in bytes, unless a single line is longer.
    static let blockLimit = 256 << 10
    /// How full a block gets before it is written, so that most need not be written in two parts.
    private static let fillLimit = blockLimit - 4096

    /// Makes a sink. Opens nothing.
    ///
    /// - Parameters:
    ///   - options: What it writes and where.
    ///   - name: The name under which the queue keeps its position. Default `nil`: `file:` and the base name.
    /// - Throws: ``OptionError`` for options out of range.
    public convenience init(_ options: FileOptions, name: String? = nil) throws(OptionError) {
        try self.init(options, name: name, clock: { SystemClock.wallNanoseconds() })
    }

    /// Makes a sink with a clock, a time zone and a way to read rings of one's own.
    init(
        _ options: FileOptions, name: String? = nil, zone: ZoneOffset? = nil, clock: @escaping @Sendable () -> Int64,
        readCheckpoint: @escaping CheckpointReader = RingCheckpoint.read,
        notice: @escaping @Sendable (String) -> Void = { Diagnostics.report($0) }
    ) throws(OptionError) {
        try options.validate()
        guard let log = LogPath(ofLog: options.path) else {
            throw OptionError("path", "\"\(options.path)\" does not name a file")
        }
        let zone = zone ?? (options.time == .utc ? .utc : .local)
        self.options = options
        self.clock = clock
        self.notice = notice
        self.name = name ?? "file:" + log.base
        workspace = Workspace(encoder: try LineEncoder(options, zone: zone), block: LineBlock())
        directory = log
        makeLog = {
            LockedLog(log, options, zone: zone, clock: clock, readCheckpoint: readCheckpoint, notice: notice)
        }
        file = makeLog()
        file.rotatesAtStart = options.rotate.atStart
    }

    /// The live file's absolute path.
    public var path: String { directory.live }

    /// The live file's path, without symbolic links where its directory exists.
    public var destinations: [String] { [directory.resolved] }

    /// Opens the file now, which else the first record does: makes it and its directory, settles what a dead process
    /// left, and deletes rotated files that are too many.
    ///
    /// - Throws: A temporary ``SinkError`` that names what could not be opened.
    public func open() throws(SinkError) {
        do throws(SystemError) {
            try file.begin()
        } catch {
            throw .temporary("\(error)")
        }
        file.end()
    }

    /// Writes the batch's lines. When it returns they survive SIGKILL.
    ///
    /// - Throws: A temporary ``SinkError``, in which `taken` is true.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        guard var work = workspace.take() else { throw .temporary("\(name) is in use") }
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

    /// Makes everything written so far survive power loss, rotated files and their names included.
    ///
    /// - Throws: A temporary ``SinkError``; a permanent one where the system has failed to write something out, until
    ///   the file that had it is deleted or has been replaced.
    public func flush() throws(SinkError) { try flush(taken: 0) }

    /// Flushes, and closes the file.
    ///
    /// - Throws: A temporary ``SinkError``; the file is closed all the same.
    public func close() throws(SinkError) {
        defer { file.close() }
        file.finishCompressing()
        try flush()
    }

    /// Opens the file anew, with a lock of its own: in a forked child, and when the program is told to.
    ///
    /// - Throws: A temporary ``SinkError`` that names what could not be opened.
    public func reopen() throws(SinkError) {
        file.close()
        ZoneOffset.reload()
        try open()
    }

    private func flush(taken: Int) throws(SinkError) {
        do throws(SystemError) {
            try file.synchronize()
        } catch {
            // A record is not refused for it: it is in the file.
            let isLost = file.unsynchronized.hasLostWrites && taken == 0
            throw SinkError(isLost ? .permanent : .temporary, taken: taken, reason: "\(error)")
        }
    }

    private func prepare(_ checkpoint: SinkCheckpoint?) {
        guard let checkpoint else {
            origin = nil
            return
        }
        if origin?.checkpoint === checkpoint { return }
        var ring: [UInt8] = []
        if let path = checkpoint.ringPath {
            if let noted = file.ringText(path) {
                ring = noted
            } else if !hasReportedRingPath {
                hasReportedRingPath = true
                notice(
                    "\(name): the path of the queue is longer than \(WriteIntent.longestText) bytes: what is being written"
                        + " when the process is killed may be written twice")
            }
        }
        origin = (checkpoint, ring)
    }

    private func write(
        _ batch: borrowing RecordBatch, _ encoder: inout some LineEncoding, _ block: inout LineBlock,
        _ taken: inout Int
    ) throws(SystemError) {
        // Not by `forEach`: its closure is a call for each record.
        var offset = 0
        if batch.isCopied { return try writeCopies(batch, &encoder, &block, &taken) }
        while offset < batch.length {
            let record = batch.base + offset
            offset &+= RecordLayout.length(of: record)
            let view = RecordView(
                record, run: batch.run, end: batch.start &+ UInt64(offset), tables: batch.tables)
            block.append(view, &encoder)
            if block.count >= Self.fillLimit { try commit(&block, &taken) }
        }
        if !block.isEmpty { try commit(&block, &taken) }
    }

    /// Writes records that are no longer in the ring and carry their positions.
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

    /// Writes out the block, in as many parts as limits ask for.
    @inline(never)
    private func commit(_ block: inout LineBlock, _ taken: inout Int) throws(SystemError) {
        try file.begin()
        defer { file.end() }
        var next = 0
        while next < block.lineCount {
            let count = try writePart(of: block, from: next)
            next += count
            taken += count
        }
        block.removeLines()
    }

    /// Writes the lines from an index on that fit the live file, after rotating it where it is due.
    ///
    /// - Returns: How many lines.
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
                _ = try file.rotate(at: now)
                last = block.lineCount
            }
        }
        var room = Self.blockLimit
        if let limit = options.rotate.size?.bytes {
            var isInLimit = file.size == 0 || Int(file.size) + block.length(of: first) <= limit
            // Where it cannot be rotated, the file grows: a limit is no reason to lose records.
            if !isInLimit { isInLimit = try file.rotate(at: now) }
            if isInLimit { room = min(room, limit - Int(file.size)) }
        }
        last = block.lastLine(from: first, to: last, in: room)
        return try write(first..<last, of: block)
    }

    /// Writes some lines; where the disk is full, as many of them as find room before the failure is thrown.
    private func write(_ range: Range<Int>, of block: borrowing LineBlock) throws(SystemError) -> Int {
        guard var (failure, room) = append(range, of: block) else {
            return range.count
        }
        if failure.code == Errno.full && file.makeRoom() {
            guard let again = append(range, of: block) else {
                return range.count
            }
            (failure, room) = again
        }
        let fits = range.lowerBound..<block.lastLine(from: range.lowerBound, to: range.upperBound, in: room)
        guard block.bytes(of: fits).count <= room,
            append(fits, of: block) == nil
        else { throw failure }
        return fits.count
    }

    private func append(
        _ range: Range<Int>, of block: borrowing LineBlock
    ) -> (failure: SystemError, room: Int)? {
        let origin = origin.map {
            LockedLog.Origin(checkpoint: $0.checkpoint, ring: $0.ring, end: block.position(after: range.upperBound - 1))
        }
        return file.append(block.bytes(of: range), origin, block.extent(of: range, run: run))
    }

    /// What lines are made with.
    private struct Workspace: ~Copyable {
        var encoder: LineEncoder
        var block: LineBlock
    }
}

extension Sink where Self == FileSink {
    /// A file, for a pipeline that is set up in code: `Pipeline(sinks: [.file("app.log")])`.
    ///
    /// - Parameters:
    ///   - path: The live file, absolute or from the working directory.
    ///   - rotate: When it is rotated and what is kept. Default: 10 MiB, 5 files.
    ///   - format: How a record is written.
    /// - Throws: ``OptionError`` for options out of range.
    public static func file(
        _ path: String, rotate: RotationOptions = RotationOptions(), format: FileOptions.Format = .text
    ) throws(OptionError) -> FileSink { try FileSink(FileOptions(path: path, rotate: rotate, format: format)) }
}
