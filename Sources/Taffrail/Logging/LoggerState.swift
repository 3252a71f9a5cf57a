internal import CTaffrail
internal import Synchronization

/// What all loggers of one name share: the name, the level, and the way into their pipeline's queue.
///
/// Made once a name and kept for good, so that a log call follows a plain pointer and counts no references.
struct LoggerState {
    let gate: UnsafePointer<taffrail_gate>
    fileprivate(set) var queue: WriteQueue
    /// The numbers of call sites in the pipeline's rings.
    fileprivate(set) var sites: CallSites
    let ambient: AmbientContext
    let redaction: KeyRedaction
    let traceSource: TraceSource
    let nameBytes: UnsafeBufferPointer<UInt8>
    /// The most that a record may have before it is padded.
    fileprivate(set) var largestRecord: Int
    /// Set right after both have been made.
    unowned(unsafe) var pipeline: (any LoggerPipeline)?

    /// Makes a source that lives as long as the process.
    ///
    /// - Parameter gate: The gate to use; `nil` makes one.
    static func make(
        name: String, gate: UnsafePointer<taffrail_gate>?, queue: WriteQueue, sites: CallSites, ambient: AmbientContext,
        redaction: KeyRedaction, traceSource: TraceSource
    ) -> UnsafeMutablePointer<LoggerState> {
        // Records copy it in whole words: what these read beyond it is there.
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count + 32)
        bytes.initialize(repeating: 0)
        _ = bytes.update(fromContentsOf: name.utf8)
        let source = UnsafeMutablePointer<LoggerState>.allocate(capacity: 1)
        source.initialize(
            to: LoggerState(
                gate: gate ?? makeGate(), queue: queue, sites: sites, ambient: ambient, redaction: redaction,
                traceSource: traceSource,
                nameBytes: UnsafeBufferPointer(rebasing: bytes.prefix(name.utf8.count)),
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

    /// What a record can have behind its attributes, in bytes, besides name, file, function and event: the ambient
    /// attributes, the thread, a trace, and the padding.
    static let fixedTail = AmbientContext.limit + RecordLayout.longestEnd + 32

    /// How much name, file, function and event may take to find room behind the scratch's capacity, with all the rest.
    static let shortTexts = Int(TAFFRAIL_SCRATCH_SLACK) - fixedTail - 32
}

extension UnsafeMutablePointer<LoggerState> {
    /// Joins the source to its pipeline, and the gate to the source: loggers can be used from now on.
    func connect(to pipeline: (any LoggerPipeline)?) {
        pointee.pipeline = pipeline
        taffrail_gate_set_source(UnsafeMutablePointer<taffrail_gate>(mutating: pointee.gate), self)
    }

    /// Makes a ring where there is none: not yet, not any more, or this is a forked child. `false` when the level turns
    /// out not to be let through.
    ///
    /// - Parameter time: The record's, where it has one already.
    @inline(__always)
    func isOpen(for level: Level, at time: Timestamp? = nil) -> Bool {
        if pointee.queue.control.limit.pointee.load(ordering: .relaxed) != 0 { return true }
        guard let pipeline = pointee.pipeline else { return true }
        pipeline.prepare()
        guard level.rawValue >= taffrail_gate_level(pointee.gate) else { return false }
        pipeline.open(first: time)
        return true
    }
}

extension UnsafeMutablePointer<LoggerState> {
    /// Takes over the limits of a queue that no ring was made for yet: calls read them only once there is one.
    func bind(_ queue: WriteQueue, _ sites: CallSites) {
        pointee.queue.limits = queue.limits
        pointee.sites = sites
        pointee.largestRecord = LoggerState.largestRecord(of: queue)
    }

    /// Changes the level at which this source's loggers let records through. Under the pipeline's registry lock; log
    /// calls read the other fields meanwhile, so that the source as a whole must not be accessed for writing.
    ///
    /// - Parameter lowest: The lowest level that a backtrace wants; `nil` when there is none.
    func setLevel(_ level: Level, lowest: Level? = nil) {
        let gateLevel = min(level, lowest ?? level)
        taffrail_gate_set(
            UnsafeMutablePointer<taffrail_gate>(mutating: pointee.gate), gateLevel.rawValue, level.rawValue)
    }
}

// MARK: The call

// The record is encoded in this thread's scratch and then copied into the queue.
//
// Straight code with unchecked arithmetic: every length here is that of something in memory. What is rare is not inlined
// and finds what it needs by the source alone, so that the way of most calls keeps nothing at hand for it.

extension UnsafeMutablePointer<LoggerState> {
    /// Encodes a record and puts it into the queue.
    @inline(__always)
    func log(
        _ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, bound: LoggerContext?,
        event: StaticString?, ambient: Bool = true, at site: CallSite
    ) {
        if bound == nil, event == nil, ambient, taffrail_task_context_is_used() == 0 {
            guard isOpen(for: level) else { return }
            enqueue(level, message, attributes, more: nil, at: site)
        } else {
            enqueueMore(level, message, attributes, More(bound: bound, event: event, ambient: ambient), at: site)
        }
    }

    /// What only some records have, besides what the task gives them.
    private struct More {
        let bound: LoggerContext?
        let event: StaticString?
        /// Whether it gets the ambient attributes and the trace source's trace.
        let ambient: Bool
    }

    @inline(never)
    private func enqueueMore(
        _ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, _ more: More, at site: CallSite
    ) {
        if let capture = RecordCapture.current(for: self) {
            guard level >= capture.level else { return }
            return enqueue(level, message, attributes, more: more, capture: capture, at: site)
        }
        guard isOpen(for: level) else { return }
        enqueue(level, message, attributes, more: more, at: site)
    }

    /// - Parameters:
    ///   - more: `nil` where a record has nothing but its call's message and attributes.
    ///   - capture: Where the record goes instead of the queue.
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
        guard let frame = scratch.begin() else { return countUnbuilt(level) }
        // Read here, it is there by the time the checksum begins with it.
        let timestamp = taffrail_wall_nanoseconds()
        // Also early, because it may itself log.
        var trace: TraceContext?
        if let more, more.ambient, TaskContext.mayHaveTraceSource, !(mayHaveTask && TaskContext.hasTrace) {
            trace = pointee.traceSource.trace(scratch)
        }
        let start = frame.start &+ RecordLayout.headerSize
        message().settle(at: start, in: scratch)
        var messageEnd = scratch.cursor
        attributes().settle(at: messageEnd, in: scratch)
        if let more {
            if let bound = more.bound { scratch.append(bound.bytes) }
            if mayHaveTask { TaskContext.appendAttributes(to: scratch) }
        }
        if let table = pointee.redaction.table {
            guard let attributes = redact(by: table, start, messageEnd, more?.event, in: scratch) else {
                return scratch.end(frame)
            }
            messageEnd = attributes
        }
        let attributesEnd = scratch.cursor

        // What comes behind the attributes is short: it has room behind the capacity, or is given it at once.
        let name = pointee.nameBytes
        let event = more?.event
        let number = capture == nil ? pointee.sites.number(of: site) : 0
        var texts = name.count &+ (event.map(\.shortLength) ?? 0)
        if _slowPath(number == 0) { texts = texts &+ site.fileLength &+ site.functionLength }
        if _slowPath(texts > LoggerState.shortTexts), !scratch.ensure(texts &+ LoggerState.fixedTail) {
            scratch.end(frame)
            return countUnbuilt(level)
        }
        var base = scratch.pointer(at: frame.start)
        var encoder = RecordEncoder(base, end: scratch.pointer(at: attributesEnd), site: number)
        var context = pointee.queue.control.context.pointee.load(ordering: .acquiring)
        if let more, !more.ambient {
            context = ContextWord.isSettled
        } else if context != 0 {
            // Where it has no number in the ring's table, or can have none, the attributes themselves.
            let mustCopy = isKept || number == 0
            if mustCopy || context & (ContextWord.isCopied | ContextWord.mayYield) != 0,
                let copied = pointee.ambient.copy(
                    context, mustCopy, own: base + (messageEnd &- frame.start), to: encoder.end)
            {
                encoder.takeContext(length: copied)
                context = ContextWord.isSettled
            } else {
                encoder.setContext(number: context)
            }
        }
        encoder.putLogger(name.baseAddress, name.count)
        if _slowPath(number == 0) {
            encoder.putSource(file: site.file, site.fileLength, function: site.function, site.functionLength)
        }
        if let event { encoder.putEvent(event.utf8Start, event.shortLength) }
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
            Backtrace.current?.keep(base, length: length, level: level, timestamp: timestamp, source: self)
        } else {
            submit(base, length: length, level: level, timestamp: timestamp, context: context)
        }
        scratch.end(frame)
    }

    /// Copies the record of `length` bytes at `record` into the queue; where that takes none, the record is counted.
    ///
    /// - Parameters:
    ///   - context: The ``ContextWord`` by which it has its ambient attributes.
    ///   - waits: Whether it waits for room without a limit.
    /// - Returns: Whether the queue has it.
    @inline(__always)
    @discardableResult
    func submit(
        _ record: UnsafeMutableRawPointer, length: Int, level: Level, timestamp: Int64, context: UInt64,
        waits: Bool = false
    ) -> Bool {
        let queue = pointee.queue
        let size = UInt64(truncatingIfNeeded: length)
        guard let position = queue.reserve(size) ?? reserveSlowly(size, level, waits: waits) else { return false }
        // A slot may be used again when the ring has no record before this position that names it.
        if _slowPath(queue.control.context.pointee.load(ordering: .acquiring) != context) {
            pointee.ambient.renumber(record, was: context, in: queue.control)
        }
        queue.publish(record, length: length, at: position, timestamp: timestamp)
        let end = position &+ size
        if queue.wantsToKnow(of: level, end: end) { wake(for: level, end: end) }
        return true
    }

    // MARK: What is rare

    @inline(never)
    private func redact(
        by table: KeyRedaction.Table, _ message: Int, _ attributes: Int, _ event: StaticString?, in scratch: Scratch
    ) -> Int? {
        table.redact(message: message, attributes: attributes, event: event.map { "\($0)" }, in: scratch)
    }

    @inline(never)
    private func cut(_ frame: Scratch.Frame, _ length: Int, in scratch: Scratch) -> Int {
        scratch.cursor = frame.start &+ length
        return RecordTruncation.cut(frame.start, to: pointee.largestRecord, in: scratch)
    }

    @inline(never)
    private func reserveSlowly(_ size: UInt64, _ level: Level, waits: Bool) -> UInt64? {
        let pipeline = pointee.pipeline
        return pointee.queue.reserveSlowly(size, level, waits: waits) { pipeline?.open(first: nil) }
    }

    @inline(never)
    private func wake(for level: Level, end: UInt64) { pointee.queue.wake(for: level, end: end) }

    @inline(never)
    private func countUnbuilt(_ level: Level) { pointee.queue.countUnbuilt(level) }
}
