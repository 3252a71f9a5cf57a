internal import CTaffrail
internal import Synchronization

/// What all loggers of one name share: the name, the level, and the way into their pipeline's queue.
///
/// Made once a name and kept for good, so that a log call follows a plain pointer and counts no references.
struct LogSource {
    let gate: UnsafePointer<taffrail_gate>
    let queue: WriteQueue
    let ambient: AmbientContext
    let redaction: KeyRedaction
    let nameBytes: UnsafeBufferPointer<UInt8>
    /// The most that a record may have before it is padded.
    let largestRecord: Int
    /// Set right after both have been made.
    var pipeline: Unmanaged<Pipeline>?
    /// What the configuration says, whatever else opens the gate. Under the pipeline's registry lock.
    private(set) var level: Level = .info

    /// Makes a source that lives as long as the process.
    ///
    /// - Parameter gate: The gate to use; `nil` makes one.
    static func make(
        name: String, gate: UnsafePointer<taffrail_gate>?, queue: WriteQueue, ambient: AmbientContext,
        redaction: KeyRedaction
    ) -> UnsafeMutablePointer<LogSource> {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, name.utf8.count))
        _ = bytes.initialize(from: name.utf8)
        let source = UnsafeMutablePointer<LogSource>.allocate(capacity: 1)
        source.initialize(
            to: LogSource(
                gate: gate ?? makeGate(), queue: queue, ambient: ambient, redaction: redaction,
                nameBytes: UnsafeBufferPointer(rebasing: bytes.prefix(name.utf8.count)),
                largestRecord: queue.limits.largestRecord - 16))
        return source
    }

    private static func makeGate() -> UnsafePointer<taffrail_gate> {
        let gate = UnsafeMutablePointer<taffrail_gate>.allocate(capacity: 1)
        gate.initialize(to: taffrail_gate(level: 0, floor: 0, source: nil))
        return UnsafePointer(gate)
    }

    var name: String { String(decoding: nameBytes, as: UTF8.self) }

    /// Changes the level at which this source's loggers let records through. Under the pipeline's registry lock.
    ///
    /// - Parameter lowest: The lowest level that a backtrace wants; `nil` when there is none.
    mutating func setLevel(_ level: Level, lowest: Level? = nil) {
        self.level = level
        let gateLevel = min(level, lowest ?? level)
        taffrail_gate_set(UnsafeMutablePointer(mutating: gate), gateLevel.rawValue, level.rawValue)
    }

    /// What a record can have behind its attributes, in bytes, besides name, file, function and event: the ambient
    /// attributes, a trace, and the padding.
    fileprivate static let fixedTail = AmbientContext.limit + 24 + 32
}

extension UnsafeMutablePointer<LogSource> {
    /// Joins the source to its pipeline, and the gate to the source: loggers can be used from now on.
    func connect(to pipeline: Unmanaged<Pipeline>?) {
        pointee.pipeline = pipeline
        taffrail_gate_set_source(UnsafeMutablePointer<taffrail_gate>(mutating: pointee.gate), self)
    }

    /// Makes a ring where there is none: not yet, not any more, or this is a forked child. `false` when the level turns
    /// out not to be let through.
    @inline(__always)
    func isOpen(for level: Level) -> Bool {
        if pointee.queue.control.limit.pointee.load(ordering: .relaxed) != 0 { return true }
        guard let pipeline = pointee.pipeline?.takeUnretainedValue() else { return true }
        pipeline.prepare()
        guard level.rawValue >= taffrail_gate_level(pointee.gate) else { return false }
        pipeline.open()
        return true
    }

    /// Encodes a record and puts it into the queue.
    ///
    /// Straight code with unchecked arithmetic: every length here is that of something in memory.
    @inline(__always)
    func log(
        _ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, bound: LoggerContext?,
        event: StaticString?, at site: CallSite
    ) {
        guard isOpen(for: level) else { return }
        enqueue(level, message, attributes, bound: bound, event: event, at: site)
    }

    /// Says that logging begins, as the first record of a ring. Where the level lets it through.
    @inline(never)
    func announce(file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line) {
        guard Level.info.rawValue >= taffrail_gate_level(pointee.gate) else { return }
        enqueue(
            .info, { "Logger initialized" }, { [:] }, bound: nil, event: nil, at: CallSite(file, function, line))
    }

    @inline(__always)
    private func enqueue(
        _ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, bound: LoggerContext?,
        event: StaticString?, at site: CallSite
    ) {
        let mayHaveTask = taffrail_task_context_is_used() != 0
        var isKept = false
        if mayHaveTask {
            switch Backtrace.judge(level, floor: taffrail_gate_floor(pointee.gate)) {
            case .log: break
            case .keep: isKept = true
            case .skip: return
            }
        }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return pointee.queue.countUnbuilt(level) }
        // Read here, it is there by the time the checksum begins with it.
        let timestamp = taffrail_wall_nanoseconds()
        let start = frame.start &+ RecordCodec.headerSize
        message().settle(at: start, in: scratch)
        let messageEnd = scratch.cursor
        attributes().settle(at: messageEnd, in: scratch)
        if let bound { scratch.append(bound.bytes) }
        if mayHaveTask { TaskContext.appendAttributes(to: scratch) }
        if let secrets = pointee.redaction.table { secrets.clean(from: messageEnd, in: scratch) }
        let attributesEnd = scratch.cursor

        // Everything behind the attributes is short: room for all of it is made at once.
        let name = pointee.nameBytes
        let texts = name.count &+ site.fileLength &+ site.functionLength &+ (event.map(\.shortLength) ?? 0)
        guard scratch.ensure(texts &+ LogSource.fixedTail) else {
            scratch.end(frame)
            return pointee.queue.countUnbuilt(level)
        }
        let base = scratch.pointer(at: frame.start)
        var tail = scratch.pointer(at: attributesEnd)
        let ambient = pointee.ambient.copy(to: tail)
        tail += ambient
        let nameLength = tail.put(name.baseAddress, name.count)
        let fileLength = tail.put(site.file, site.fileLength)
        let functionLength = tail.put(site.function, site.functionLength)
        let eventLength = event.map { tail.put($0.utf8Start, $0.shortLength) } ?? 0
        // Whole words: what is loaded again at once should come from one store each.
        base.putHead(
            message: messageEnd &- start, attributes: attributesEnd &- messageEnd,
            short: (UInt16(truncatingIfNeeded: ambient), nameLength, fileLength, functionLength), line: site.line,
            level: level, event: eventLength)
        if mayHaveTask { tail = TaskContext.putTrace(of: base, at: tail) }
        var length = tail - base
        if length > pointee.largestRecord {
            scratch.cursor = frame.start &+ length
            length = RecordCut.cut(frame.start, to: pointee.largestRecord, in: scratch)
        }
        length = scratch.pointer(at: frame.start).finishRecord(length: length, timestamp: timestamp)
        if isKept {
            Backtrace.current?.keep(
                scratch.pointer(at: frame.start), length: length, level: level, timestamp: timestamp, source: self)
        } else {
            let pipeline = pointee.pipeline
            _ = pointee.queue.submit(
                scratch.pointer(at: frame.start), length: length, level: level, timestamp: timestamp,
                open: { pipeline?.takeUnretainedValue().open() })
        }
        scratch.end(frame)
    }
}

/// What a logger adds to its records: encoded once.
final class LoggerContext: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}
