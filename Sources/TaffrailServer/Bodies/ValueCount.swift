internal import Taffrail

/// Counts the values of a body to limit the memory for decoding: many short values take a multiple of the body's
/// length.
struct ValueCount {
    private var count = 0
    private var copies = 0
    /// Bytes that were counted but not yet reserved.
    private var uncharged = 0
    private let memory: MemoryShare?

    /// The maximum number of copies of shared attributes.
    static let copyLimit = 1_000_000

    /// The approximate memory of a value, and of a record without attributes, in a growing array.
    private static let valueSize = 64
    private static let recordSize = 256

    /// - Parameters:
    ///   - memory: The request's share of the memory of all requests.
    ///   - body: The body, from which strings are copied.
    init(_ memory: MemoryShare? = nil, of body: [UInt8]) throws(Problem) {
        self.memory = memory
        try memory?.take(body.count)
    }

    /// Counts values.
    mutating func add(_ number: Int = 1) throws(Problem) {
        count += number
        guard count <= ReceivedRecords.limit else { throw ReceivedRecords.tooMany }
        try charge(number * Self.valueSize)
    }

    /// Counts a record.
    mutating func addRecord() throws(Problem) {
        try add()
        try charge(Self.recordSize)
    }

    /// Counts a record with its attributes.
    mutating func add(_ record: LogRecord) throws(Problem) {
        try addRecord()
        for entry in record.attributes { try add(entry.value.size) }
    }

    /// Counts the copies of shared attributes, before they are added to each record.
    mutating func addCopies(_ attributes: Int, records: Int) throws(Problem) {
        let (number, isTooLarge) = attributes.multipliedReportingOverflow(by: records)
        guard !isTooLarge, number <= Self.copyLimit - copies else {
            throw Problem(413, "the records have more than \(Self.copyLimit) attributes of their resources")
        }
        copies += number
        try charge(number * Self.valueSize)
    }

    /// Reserves memory, for many values at a time.
    private mutating func charge(_ bytes: Int) throws(Problem) {
        uncharged += bytes
        guard uncharged >= 64 << 10 else { return }
        try memory?.take(uncharged)
        uncharged = 0
    }
}
