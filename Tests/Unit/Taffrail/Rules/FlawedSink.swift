import Taffrail
import TaffrailTesting

/// The flaws of a sink, one for each rule.
enum Flaw: String, CaseIterable, CustomStringConvertible {
    case turnsBatchesRound = "every record is kept once and in order"
    case holdsBackUntilFlush = "the records that write has taken are stored when it returns"
    case marksEmptyBatches = "an empty batch is taken and leaves nothing"
    case splitsLines = "newlines, NUL, control characters and emoji are kept"
    case skipsEmptyMessages = "an empty message is kept"
    case cutsLongMessages = "a message of 1 MiB is kept whole"
    case makesValuesText = "every kind of attribute is kept"
    case forgetsTheTrace = "every field is kept, at every level"
    case flushesAtTheEndOnly = "flush makes what was written durable, and succeeds where nothing was written"
    case closesWithoutFlush = "close includes flush"
    case cannotCloseUnused = "a sink that never received a record can be closed"
    case emptiesAtReopen = "reopen loses and duplicates nothing"
    case startsAnew = "the next run's sink appends to what is stored"
    case changesItsName = "the name is stable"
    case storesTheStart = "a position that the sink stores is the end of the records it has taken"
    case givesUpAtOnce = "a destination that may become available again is a temporary error"
    case saysThatNothingWasTaken = "a temporary error reports exactly how many records were taken"
    case swallowsWhatFails = "nothing is lost or duplicated once the destination is available again"
    case ignoresFailedFlush = "flush throws while it cannot make durable what was written"
    case triesForEver = "a record that can never be written is a permanent error, and the others are written"
    case givesNoReason = "an error's reason is one line that is not empty"

    var description: String { "\"\(rawValue)\"" }
}

/// A destination in memory that can be interrupted, and loses unflushed records when the power fails.
final class FlawedDestination {
    var records: [LogRecord] = []
    /// How many of them would survive power loss.
    var durable = 0
    /// Whether its records can be made durable.
    var isAway = false
    /// How many more records it takes; `nil`: any number.
    var room: Int?
    var position: UInt64?
    var sinksMade = 0
    var closings = 0
}

/// A sink that keeps every rule, but for its flaw.
final class FlawedSink: Sink {
    static let impossible = "impossible"

    private let destination: FlawedDestination
    private let flaw: Flaw?
    private let number: Int
    private var held: [LogRecord] = []
    private var isUsed = false

    init(_ destination: FlawedDestination, _ flaw: Flaw?) {
        self.destination = destination
        self.flaw = flaw
        destination.sinksMade += 1
        number = destination.sinksMade
        if flaw == .startsAnew { destination.records = [] }
    }

    var name: String { flaw == .changesItsName ? "sink \(number)" : "sink" }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        isUsed = true
        if batch.count == 0 && flaw == .marksEmptyBatches {
            destination.records.append(LogRecord(level: .info, message: "-- mark --"))
        }
        var records: [LogRecord] = []
        batch.forEach { records.append(LogRecord($0)) }
        if flaw == .turnsBatchesRound { records.reverse() }
        destination.position = flaw == .storesTheStart ? batch.start : batch.end
        for (taken, record) in records.enumerated() {
            if record.message == Self.impossible {
                throw flaw == .triesForEver
                    ? .temporary("it does not fit", taken: taken)
                    : .permanent("it does not fit", taken: taken)
            }
            if destination.room == 0 { return try fail(taken) }
            if let room = destination.room { destination.room = room - 1 }
            keep(record)
        }
    }

    private func fail(_ taken: Int) throws(SinkError) {
        switch flaw {
        case .givesUpAtOnce: throw .permanent("it is away", taken: taken)
        case .saysThatNothingWasTaken: throw .temporary("it is away", taken: 0)
        case .swallowsWhatFails: return
        case .givesNoReason: throw .temporary("", taken: taken)
        default: throw .temporary("it is away", taken: taken)
        }
    }

    private func keep(_ record: LogRecord) {
        var record = record
        switch flaw {
        case .holdsBackUntilFlush: return held.append(record)
        case .skipsEmptyMessages where record.message.isEmpty: return
        case .cutsLongMessages: record.message = String(record.message.prefix(65_536))
        case .forgetsTheTrace: record.trace = nil
        case .makesValuesText:
            record.attributes = record.attributes.map { LogValueEntry($0.key, .string($0.value.description)) }
        case .splitsLines where record.message.contains("\n"):
            for line in record.message.split(separator: "\n", omittingEmptySubsequences: false) {
                record.message = String(line)
                destination.records.append(record)
            }
            return
        default: break
        }
        destination.records.append(record)
    }

    func flush() throws(SinkError) {
        destination.records += held
        held = []
        if destination.isAway {
            if flaw == .ignoresFailedFlush { return }
            throw .temporary("it is away")
        }
        if flaw != .flushesAtTheEndOnly { destination.durable = destination.records.count }
    }

    func close() throws(SinkError) {
        destination.closings += 1
        if flaw == .cannotCloseUnused && !isUsed { throw .temporary("not open") }
        if flaw == .closesWithoutFlush { return }
        try flush()
        destination.durable = destination.records.count
    }

    func reopen() throws(SinkError) {
        if flaw == .emptiesAtReopen { destination.records = [] }
    }

    func position(in ring: RingID) -> UInt64? { ring == RingID(0xDEAD) ? nil : destination.position }
}

/// The flawed sink as the rules take it.
struct FlawedSubject: SinkSubject {
    let destination = FlawedDestination()
    let flaw: Flaw?

    func makeSink() throws -> any Sink { FlawedSink(destination, flaw) }
    func records() throws -> [LogRecord] { destination.records }
    func recordsAfterPowerLoss() throws -> [LogRecord]? { Array(destination.records.prefix(destination.durable)) }

    func interrupt() throws -> Bool {
        destination.room = 3
        destination.isAway = true
        return true
    }

    func restore() throws {
        destination.room = nil
        destination.isAway = false
    }

    var impossibleRecord: LogRecord? { LogRecord(level: .info, message: FlawedSink.impossible) }
}
