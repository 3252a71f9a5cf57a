#if Journald
internal import Taffrail
internal import TaffrailReading

/// The entries of systemd's journal with an identifier, as records: entries of the sink `journald` with all fields,
/// others with their message and priority.
final class JournalLines: LineSource {
    /// The reason why the journal cannot be read.
    struct Refusal: Error {
        let reason: String
    }

    private let library: SystemdJournal
    private let journal: OpaquePointer
    private let text = JSONLineRenderer()
    private(set) var head = LineHead()
    private var heads = LineHeadReader()
    /// Whether the journal is already at the next entry.
    private var isAtNext = false
    private var problems: [String] = []
    private let name: String
    var label: String { "journal:" + name }
    /// Whether the journal has no entry of that identifier at all.
    private(set) var isUnknown = false

    /// Opens the journal.
    ///
    /// - Parameters:
    ///   - name: `IDENTIFIER` or `IDENTIFIER@NAMESPACE`.
    ///   - since: The start time, in nanoseconds since 1970; `nil`: the start of the journal.
    init(_ name: String, since: Int64?) throws(Refusal) {
        self.name = name
        let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let identifier = parts.first, !identifier.isEmpty, parts.count == 1 || !parts[1].isEmpty else {
            throw Refusal(reason: "journal:\(name): missing identifier")
        }
        guard let library = SystemdJournal() else {
            throw Refusal(reason: "journal:\(name): libsystemd is not installed")
        }
        self.library = library
        var opened: OpaquePointer?
        let result = parts.count == 1 ? library.open(&opened, nil, 0) : library.open(&opened, String(parts[1]), 0)
        guard result >= 0, let opened else {
            throw Refusal(reason: "journal:\(name): \(Errno.text(-result))")
        }
        journal = opened
        _ = library.setDataThreshold(journal, 0)
        var match = "SYSLOG_IDENTIFIER=\(identifier)"
        match.withUTF8 { bytes in
            if let base = bytes.baseAddress { _ = library.addMatch(opened, base, bytes.count) }
        }
        isUnknown = library.seekHead(journal) >= 0 && library.next(journal) == 0
        // The time of an entry is slightly later than that of its record.
        _ = since.map { library.seekTime(opened, UInt64(max(0, $0 / 1000 - 1))) } ?? library.seekHead(journal)
        // The journal reports changes only after this call.
        _ = library.descriptor(journal)
    }

    deinit { library.close(journal) }

    func next() -> Bool {
        if isAtNext {
            isAtNext = false
        } else {
            let result = library.next(journal)
            if result < 0 { problems.append("journal:\(name): \(Errno.text(-result))") }
            guard result > 0 else { return false }
        }
        read()
        return true
    }

    var line: UnsafeRawBufferPointer { text.bytes }

    var wakeUp: CInt? { library.descriptor(journal) }

    func wake() { _ = library.process(journal) }

    func skipToLast(_ count: Int, where isWanted: (UnsafeRawBufferPointer, LineHead) -> Bool) {
        _ = library.seekTail(journal)
        isAtNext = count > 0
        // Move from the tail to the last entry: new entries are added after that.
        guard count > 0 else {
            if library.previous(journal) <= 0 { _ = library.seekHead(journal) }
            return
        }
        var found = 0
        while found < count {
            guard library.previous(journal) > 0 else {
                isAtNext = false
                _ = library.seekHead(journal)
                return
            }
            read()
            if isWanted(line, head) { found += 1 }
        }
    }

    func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }

    // MARK: Entries

    private func read() {
        var time: UInt64 = 0
        _ = library.time(journal, &time)
        var record = LogRecord(
            timestamp: Timestamp(nanoseconds: Int64(clamping: time) &* 1000), level: .info, message: "")
        var entry = JournalEntryFields()
        library.restartData(journal)
        var data: UnsafeRawPointer?
        var length = 0
        while library.nextData(journal, &data, &length) > 0 {
            entry.add(UnsafeRawBufferPointer(start: data, count: length), to: &record)
        }
        entry.finish(&record)
        text.set(record)
        head = heads.read(text.bytes)
    }
}

/// Converts a journal entry's fields into a record.
private struct JournalEntryFields {
    private var isOurs = false
    private var file = ""
    private var function = ""
    private var line: UInt32 = 0
    private var trace: TraceContext.TraceID?
    private var span: TraceContext.SpanID?

    /// Fields that journald, libsystemd and syslog add to every entry.
    private static let known: Set<String> = [
        "MESSAGE_ID", "ERRNO", "TID", "INVOCATION_ID", "USER_INVOCATION_ID", "UNIT", "USER_UNIT", "DOCUMENTATION",
    ]

    /// Adds a field: `NAME=value`.
    mutating func add(_ field: UnsafeRawBufferPointer, to record: inout LogRecord) {
        guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { return }
        let name = String(decoding: field[..<equals], as: UTF8.self)
        var value: String { String(decoding: field[(equals + 1)...], as: UTF8.self) }
        switch name {
        case "MESSAGE": record.message = value
        case "PRIORITY": if !isOurs { record.level = Self.level(priority: value) }
        case "LEVEL":
            if let level = Level(name: value) {
                record.level = level
                isOurs = true
            }
        case "LOGGER": record.logger = value
        case "EVENT": record.eventName = value
        case "TAFFRAIL_RUN": record.run = RingID(value) ?? .none
        case "TAFFRAIL_SEQ": record.sequence = UInt64(value) ?? 0
        case "TAFFRAIL_TIME": if let time = Int64(value) { record.timestamp = Timestamp(nanoseconds: time) }
        case "CODE_FILE": file = value
        case "CODE_FUNC": function = value
        case "CODE_LINE": line = UInt32(value) ?? 0
        case "TRACE_ID": trace = TraceContext.TraceID(value)
        case "SPAN_ID": span = TraceContext.SpanID(value)
        default:
            guard !name.hasPrefix("_"), !name.hasPrefix("SYSLOG_"), !Self.known.contains(name) else { return }
            record.attributes.append(LogValueEntry(name.lowercased(), LogValue(text: value)))
        }
    }

    /// Combines values that are spread over several fields.
    func finish(_ record: inout LogRecord) {
        if !file.isEmpty { record.source = LogRecord.SourceLocation(file: file, function: function, line: line) }
        if let trace { record.trace = TraceContext(traceID: trace, spanID: span ?? TraceContext.SpanID(0)) }
        // The fields are unordered.
        record.attributes.sort { $0.key < $1.key }
    }

    private static func level(priority: String) -> Level { Int(priority).map { Level(syslogPriority: $0) } ?? .info }
}
#endif
