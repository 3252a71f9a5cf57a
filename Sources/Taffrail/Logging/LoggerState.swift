internal import CTaffrail
internal import Synchronization

/// The state that all loggers of one name share: the name, the level, and the queue of their pipeline.
///
/// Created once for each name and never freed, so that a log call follows a plain pointer and counts no references.
struct LoggerState {
    let gate: UnsafePointer<taffrail_gate>
    fileprivate(set) var queue: WriteQueue
    /// The numbers of call sites in the pipeline's rings.
    fileprivate(set) var sites: CallSites
    let ambient: AmbientContext
    let redaction: PermanentReference<KeyRedaction>
    let traceSource: TraceSource
    let nameBytes: UnsafeBufferPointer<UInt8>
    /// The longest record, in bytes before padding.
    fileprivate(set) var largestRecord: Int
    /// Set right after both have been created.
    unowned(unsafe) var pipeline: (any LoggerPipeline)?

    /// Creates a state that is never freed.
    ///
    /// - Parameter gate: The gate to use; `nil` creates one.
    static func make(
        name: String, gate: UnsafePointer<taffrail_gate>?, queue: WriteQueue, sites: CallSites, ambient: AmbientContext,
        redaction: PermanentReference<KeyRedaction>, traceSource: TraceSource
    ) -> UnsafeMutablePointer<LoggerState> {
        var name = name
        // Records copy the name in whole words, which may read beyond its end.
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count + 32)
        bytes.initialize(repeating: 0)
        name.withUTF8 { UnsafeMutableRawBufferPointer(bytes).copyMemory(from: UnsafeRawBufferPointer($0)) }
        let length = UTF8Text.boundary(in: .init(bytes), atMost: min(name.utf8.count, RecordLayout.shortLimit))
        let source = UnsafeMutablePointer<LoggerState>.allocate(capacity: 1)
        source.initialize(
            to: LoggerState(
                gate: gate ?? makeGate(), queue: queue, sites: sites, ambient: ambient, redaction: redaction,
                traceSource: traceSource,
                nameBytes: UnsafeBufferPointer(rebasing: bytes.prefix(length)),
                largestRecord: largestRecord(of: queue)))
        return source
    }

    fileprivate static func largestRecord(of queue: WriteQueue) -> Int { queue.limits.largestRecord - 16 }

    private static func makeGate() -> UnsafePointer<taffrail_gate> {
        let gate = UnsafeMutablePointer<taffrail_gate>.allocate(capacity: 1)
        gate.initialize(to: taffrail_gate(level: 0, floor: 0, source: nil))
        return UnsafePointer(gate)
    }

    var name: String { String(decoding: nameBytes, as: UTF8.self) }

    /// The most bytes that a record can have after its attributes, excluding name, file, function and event: the
    /// ambient attributes, the thread, a trace, and the padding.
    static let fixedTail = AmbientContext.limit + RecordLayout.longestEnd + 32

    /// The maximum length of name, file, function and event to fit, with the rest, beyond the scratch's capacity.
    static let shortTexts = Int(TAFFRAIL_SCRATCH_SLACK) - fixedTail - 32
}

extension UnsafeMutablePointer<LoggerState> {
    /// Joins the state to its pipeline and the gate to the state; then loggers can be used.
    func connect(to pipeline: (any LoggerPipeline)?) {
        pointee.pipeline = pipeline
        taffrail_gate_set_source(UnsafeMutablePointer<taffrail_gate>(mutating: pointee.gate), self)
    }

    /// Opens a ring if there is none: before the first record, after the end, or in a forked child. Returns `false`
    /// when the level turns out to forbid the record.
    ///
    /// - Parameter time: The record's time, if it already has one.
    @inline(__always)
    func isOpen(for level: Level, at time: Timestamp? = nil) -> Bool {
        if pointee.queue.control.limit.pointee.load(ordering: .relaxed) != 0 { return true }
        guard let pipeline = pointee.pipeline else { return true }
        pipeline.prepare()
        guard level.rawValue >= taffrail_gate_level(pointee.gate) else { return false }
        pipeline.open(first: time)
        return true
    }

    /// Adopts the limits of a queue that has no ring yet: calls read them only once it has one.
    func bind(_ queue: WriteQueue, _ sites: CallSites) {
        pointee.queue.limits = queue.limits
        pointee.sites = sites
        pointee.largestRecord = LoggerState.largestRecord(of: queue)
    }

    /// Changes the minimum level of the loggers with this state. Requires the pipeline's registry lock. Log calls read
    /// the other fields meanwhile, so the state as a whole must not be accessed for writing.
    ///
    /// - Parameter lowest: The lowest level that a backtrace wants; `nil` for none.
    func setLevel(_ level: Level, lowest: Level?) {
        let gateLevel = min(level, lowest ?? level)
        taffrail_gate_set(
            UnsafeMutablePointer<taffrail_gate>(mutating: pointee.gate), gateLevel.rawValue, level.rawValue)
    }

    /// Changes the lowest level that a backtrace wants, and keeps the minimum level. Requires the same lock.
    func setLowest(_ lowest: Level?) {
        if let level = Level(rawValue: taffrail_gate_floor(pointee.gate)) { setLevel(level, lowest: lowest) }
    }
}

// MARK: The call

// The record is encoded in this thread's scratch and then copied into the queue.
//
// Straight-line code with unchecked arithmetic: every length here is that of an object in memory. Rare cases are not
// inlined and depend on the logger state alone, so that the common path keeps no values alive for them.

extension UnsafeMutablePointer<LoggerState> {
    /// Encodes a record and puts it into the queue.
    @inline(__always)
    func log(
        _ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, bound: StoredBytes?,
        at site: CallSite
    ) {
        if bound == nil, taffrail_task_context_is_used() == 0 {
            guard isOpen(for: level) else { return }
            enqueue(level, message, attributes, more: nil, at: site)
        } else {
            enqueueMore(level, message, attributes, More(bound: bound, event: nil), at: site)
        }
    }

    /// The fields that only some records have, apart from the task's attributes and trace.
    struct More {
        let bound: StoredBytes?
        let event: StaticString?
        /// Whether the record gets the ambient attributes and the trace of the trace source.
        var ambient = true
    }

    /// Encodes a record that has more than its call's message and attributes, and puts it into the queue.
    @inline(never)
    func enqueueMore(
        _ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, _ more: More, at site: CallSite
    ) {
        if let capture = RecordCapture.current(for: self) {
            guard level >= capture.level else { return }
            return enqueue(level, message, attributes, more: more, capture: capture, at: site)
        }
        guard isOpen(for: level) else { return }
        enqueue(level, message, attributes, more: more, at: site)
    }

    /// Encodes a record into the queue or a capture.
    ///
    /// - Parameters:
    ///   - more: `nil` if a record has only its call's message and attributes.
    ///   - capture: The destination of the record instead of the queue.
    @inline(__always)
    private func enqueue(
        _ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, more: More?,
        capture: RecordCapture? = nil, at site: CallSite
    ) {
        let mayHaveTask = more != nil && TaskContext.isUsed
        var isKept = capture != nil
        if mayHaveTask, capture == nil {
            switch Backtrace.evaluate(level, floor: taffrail_gate_floor(pointee.gate)) {
            case .log: break
            case .keep: isKept = true
            case .ignore: return
            }
        }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return countEncodingFailed(level) }
        // Read early, so that it is in the cache when the checksum starts.
        let timestamp = taffrail_wall_nanoseconds()
        // Also early, because it may log.
        var trace: TraceContext?
        if let more, more.ambient, TaskContext.mayHaveTraceSource, !(mayHaveTask && TaskContext.hasTrace) {
            trace = pointee.traceSource.trace(scratch)
        }
        let start = frame.start &+ RecordLayout.headerSize
        message().finish(at: start, in: scratch)
        var messageEnd = scratch.cursor
        attributes().finish(at: messageEnd, in: scratch)
        if let more {
            if let bound = more.bound { scratch.append(bound.bytes) }
            if mayHaveTask { TaskContext.appendAttributes(to: scratch) }
        }
        let keys = pointee.redaction.identity
        if keys != 0 {
            guard let attributes = redact(by: keys, start, messageEnd, more?.event, in: scratch) else {
                return scratch.end(frame)
            }
            messageEnd = attributes
        }
        let attributesEnd = scratch.cursor

        // The fields after the attributes are short: there is space beyond the capacity, or the scratch is grown at
        // once.
        let name = pointee.nameBytes
        let event = more?.event
        let number = capture == nil ? pointee.sites.number(of: site) : 0
        var texts = name.count &+ (event.map(\.shortLength) ?? 0)
        if _slowPath(number == 0) { texts = texts &+ site.fileLength &+ site.functionLength }
        if _slowPath(texts > LoggerState.shortTexts), !scratch.ensure(texts &+ LoggerState.fixedTail) {
            scratch.end(frame)
            return countEncodingFailed(level)
        }
        var base = scratch.pointer(at: frame.start)
        var encoder = RecordEncoder(base, end: scratch.pointer(at: attributesEnd), site: number)
        var context = pointee.queue.control.context.pointee.load(ordering: .acquiring)
        if let more, !more.ambient {
            context = ContextWord.isResolved
        } else if context != 0 {
            // The attributes themselves, if the ring's table has no number for them.
            let mustCopy = isKept || number == 0
            if mustCopy || context & (ContextWord.isCopied | ContextWord.mayYield) != 0,
                let copied = pointee.ambient.copy(
                    context, mustCopy, own: base + (messageEnd &- frame.start), to: encoder.end)
            {
                encoder.takeContext(length: copied)
                context = ContextWord.isResolved
            } else {
                encoder.setContext(number: context)
            }
        }
        encoder.putLogger(name.baseAddress, name.count)
        if _slowPath(number == 0) {
            encoder.putSource(file: site.file, site.fileLength, function: site.function, site.functionLength)
        }
        if let event, event.shortLength > 0 { encoder.putEvent(event.utf8Start, event.shortLength) }
        encoder.putThread(scratch.threadID)
        encoder.putHeader(
            message: messageEnd &- start, attributes: attributesEnd &- messageEnd, line: site.line, level: level)
        if mayHaveTask { encoder.end = TaskContext.putTrace(of: base, at: encoder.end) }
        if more != nil, let trace { base.put(trace, at: &encoder.end) }
        var length = encoder.end - base
        if length > pointee.largestRecord {
            length = cut(frame, length, in: scratch)
            base = scratch.pointer(at: frame.start)
        }
        length = base.padRecord(length: length)
        if let capture {
            capture.add(base, at: Timestamp(nanoseconds: timestamp))
        } else if isKept {
            Backtrace.current?.keep(base, length: length, level: level, timestamp: timestamp, source: self, by: keys)
        } else {
            submit(base, length: length, level: level, timestamp: timestamp, context: context)
        }
        scratch.end(frame)
    }

    /// Copies the record of `length` bytes at `record` into the queue, and counts the record as dropped if that fails.
    ///
    /// - Parameters:
    ///   - context: The ``ContextWord`` by which the record has its ambient attributes.
    ///   - waiting: How long to wait for room.
    /// - Returns: Whether the record is in the queue.
    @inline(__always)
    @discardableResult
    func submit(
        _ record: UnsafeMutableRawPointer, length: Int, level: Level, timestamp: Int64, context: UInt64,
        waiting: WriteQueue.Waiting = .asConfigured
    ) -> Bool {
        let queue = pointee.queue
        let size = UInt64(truncatingIfNeeded: length)
        guard let position = queue.reserve(size) ?? reserveSlowly(size, level, waiting) else { return false }
        // A slot may be reused once the ring contains no earlier record that refers to it.
        if _slowPath(queue.control.context.pointee.load(ordering: .acquiring) != context) {
            pointee.ambient.renumber(record, was: context, in: queue.control)
        }
        queue.publish(record, length: length, at: position, timestamp: timestamp)
        let end = position &+ size
        if queue.wantsToKnow(of: level, end: end) { wake(for: level, end: end) }
        return true
    }

    // MARK: Rare cases

    @inline(never)
    private func redact(by id: UInt, _ message: Int, _ own: Int, _ event: StaticString?, in scratch: Scratch) -> Int? {
        PermanentReference<KeyRedaction>.object(id)?.redact(
            message: message, attributes: own, event: event.map { "\($0)" }, in: scratch)
    }

    @inline(never)
    private func cut(_ frame: Scratch.Frame, _ length: Int, in scratch: Scratch) -> Int {
        scratch.cursor = frame.start &+ length
        return RecordTruncation.cut(frame.start, to: pointee.largestRecord, in: scratch)
    }

    @inline(never)
    private func reserveSlowly(_ size: UInt64, _ level: Level, _ waiting: WriteQueue.Waiting) -> UInt64? {
        let pipeline = pointee.pipeline
        return pointee.queue.reserveSlowly(size, level, waiting) { pipeline?.open(first: nil) }
    }

    @inline(never)
    private func wake(for level: Level, end: UInt64) { pointee.queue.wake(for: level, end: end) }

    @inline(never)
    private func countEncodingFailed(_ level: Level) { pointee.queue.countEncodingFailed(level) }
}
