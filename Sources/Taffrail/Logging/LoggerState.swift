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

/// What log calls need of the pipeline that their records go to. It lives as long as the process.
protocol LoggerPipeline: AnyObject {
    /// Sets the levels of its loggers, if that has not been done.
    func prepare()
    /// Opens the queue, if it is not open.
    func open()
}

extension UnsafeMutablePointer<LoggerState> {
    /// Joins the source to its pipeline, and the gate to the source: loggers can be used from now on.
    func connect(to pipeline: (any LoggerPipeline)?) {
        pointee.pipeline = pipeline
        taffrail_gate_set_source(UnsafeMutablePointer<taffrail_gate>(mutating: pointee.gate), self)
    }

    /// Makes a ring where there is none: not yet, not any more, or this is a forked child. `false` when the level turns
    /// out not to be let through.
    @inline(__always)
    func isOpen(for level: Level) -> Bool {
        if pointee.queue.control.limit.pointee.load(ordering: .relaxed) != 0 { return true }
        guard let pipeline = pointee.pipeline else { return true }
        pipeline.prepare()
        guard level.rawValue >= taffrail_gate_level(pointee.gate) else { return false }
        pipeline.open()
        return true
    }
}

/// What a logger adds to its records: encoded once.
final class LoggerContext: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
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
