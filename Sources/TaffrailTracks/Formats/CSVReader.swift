internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads a table with column names in the first line: at least latitude and longitude, in any order, separated by
/// commas, semicolons or tabs. Times may be in two columns, a date and a time of day. Unknown columns are ignored;
/// empty fields are missing values. The warnings contain the numbers of positions without a time, and with a date
/// alone.
final class CSVReader: TextTrackReader<ByteWindow> {
    private var columns: [LocationField?] = []
    /// The index of the column with dates, if separate.
    private var dateColumn: Int?
    private var unknownColumns: [String] = []
    private var positions = 0
    /// The number of positions without a time.
    private var untimed = 0
    /// The number of positions with a date, but without a time of day.
    private var bareDates = 0
    private var separator = UInt8(ascii: ",")
    private var fields: [[UInt8]] = []
    /// Whether the line ends with a line break, not at the end of the file.
    private var hasLineBreak = false
    /// The offsets of the fields.
    private var rowStart = (offset: 0, line: 1)

    override func read() throws(ReadError) -> Bool {
        while try readLine() {
            // Skip an empty line.
            if fields.allSatisfy(\.trimmed.isEmpty) { continue }
            do throws(ReadError) { try row() } catch { skip(error) }
            return true
        }
        reportTimes()
        return false
    }

    /// Reports times that are missing or incomplete, which may be in columns of unknown names.
    private func reportTimes() {
        let names = unknownColumns.prefix(5).map { "\"\($0.prefix(60))\"" }.joined(separator: ", ")
        let columns = names.isEmpty ? "" : "; unknown columns: \(names)"
        if untimed > 0 {
            note(untimed == positions ? "the positions have no times\(columns)" : "\(have(untimed)) no time")
        }
        if bareDates > 0 {
            let problem =
                bareDates == positions
                ? "dates have no time of day, so those positions are at midnight UTC"
                : "\(have(bareDates)) a date without a time of day, which counts as midnight UTC"
            note(problem + columns)
        }
    }

    /// Begins a message about some of the positions.
    private func have(_ count: Int) -> String { "\(count) of \(positions) positions \(count == 1 ? "has" : "have")" }

    private func note(_ problem: String) { schedule.warnings.note("\(path): \(problem)") }

    override func start() throws(ReadError) {
        var start = 0
        _ = try input.more(keeping: &start)
        if input.count >= 3, input.base[0] == 0xEF, input.base[1] == 0xBB, input.base[2] == 0xBF {
            input.position = 3
        }
        let head = UnsafeBufferPointer(start: input.base, count: input.count).prefix { $0 != 10 }
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        separator = separators.max { one, other in head.count { $0 == one } < head.count { $0 == other } } ?? separator
        guard try readLine() else { throw input.truncated("a table must start with a line of column names") }
        let names = fields.map { String(decoding: $0.trimmed, as: UTF8.self) }
        columns = names.map { CSVColumn.named($0) }
        dateColumn = names.firstIndex { CSVTime.isDate($0) }
        guard columns.contains(.latitude), columns.contains(.longitude) else {
            throw ReadError(offset: 0, line: 1, reason: "the first line has no columns for latitude and longitude")
        }
        unknownColumns = names.indices.filter { columns[$0] == nil && $0 != dateColumn && !names[$0].isEmpty }.map {
            names[$0]
        }
    }

    /// Reads the fields of a line. Returns `false` at the end.
    private func readLine() throws(ReadError) -> Bool {
        rowStart = (input.streamOffset, input.line)
        return try input.readFields(&fields, separatedBy: separator, hasLineBreak: &hasLineBreak)
    }

    private func row() throws(ReadError) {
        var location = Location(latitude: .nan, longitude: .nan, timestamp: Timestamp(nanoseconds: 0))
        var clock: ArraySlice<UInt8> = []
        for (column, field) in zip(columns, fields) {
            let text = field.trimmed
            guard let column, !text.isEmpty else { continue }
            if column == .time {
                clock = text
            } else if column == .device {
                location.extra.device = String(decoding: text, as: UTF8.self)
            } else {
                guard let number = text.withUnsafeBufferPointer({ DecimalText.double($0) }) else {
                    throw wrong(
                        String(decoding: text, as: UTF8.self), "is not a number for \(CSVColumn.name(of: column))")
                }
                location.set(column, number: number)
            }
        }
        guard location.coordinate.isValid else { throw wrong("a line without a valid position") }
        if isCut { throw wrong("the last line ends before its last column") }
        let time = try time(clock)
        positions += 1
        if time == nil { untimed += 1 }
        schedule.add(location, time: time)
    }

    /// Whether the end of the file may have cut the last value of the line, even if the rest is still a value.
    private var isCut: Bool {
        let last = fields.count - 1
        guard !hasLineBreak, last < columns.count - 1, !fields[last].trimmed.isEmpty else { return false }
        return columns[last] != nil || last == dateColumn
    }

    /// Returns the time of the current line; `nil` if it has none.
    private func time(_ clock: ArraySlice<UInt8>) throws(ReadError) -> Timestamp? {
        if let time = clock.withUnsafeBufferPointer({ RFC3339.timestamp($0, zoneRequired: false) }) { return time }
        let date = dateColumn.flatMap { $0 < fields.count ? fields[$0].trimmed : nil } ?? []
        guard !clock.isEmpty || !date.isEmpty else { return nil }
        let (clockText, dateText) = (String(decoding: clock, as: UTF8.self), String(decoding: date, as: UTF8.self))
        guard !date.isEmpty else { throw wrong(clockText, "is not a time") }
        if clock.isEmpty, let time = RFC3339.timestamp(dateText, zoneRequired: false) { return time }
        guard let day = CSVTime.day(dateText) else { throw wrong(dateText, "is not a date") }
        guard !clock.isEmpty else {
            bareDates += 1
            return Timestamp(nanoseconds: day.secondsSince1970 * 1_000_000_000)
        }
        guard let time = CSVTime.time(clockText, on: day) else { throw wrong(clockText, "is not a time") }
        return time
    }

    /// Returns an error about a value in the current line.
    private func wrong(_ value: String, _ problem: String) -> ReadError { wrong("\(value.prefix(60)) \(problem)") }

    /// Returns an error in the current line.
    private func wrong(_ reason: String) -> ReadError {
        ReadError(offset: rowStart.offset, line: rowStart.line, reason: reason)
    }
}

extension ByteWindow {
    /// Reads the fields of a line. Returns `false` at the end.
    fileprivate mutating func readFields(
        _ fields: inout [[UInt8]], separatedBy separator: UInt8, hasLineBreak: inout Bool
    ) throws(ReadError) -> Bool {
        fields = [[]]
        hasLineBreak = false
        var isQuoted = false
        var wasQuoted = false
        var isEmpty = true
        while true {
            if position == count, try !refill() {
                if isQuoted { throw truncated("an unterminated quote") }
                return !isEmpty
            }
            let byte = base[position]
            position += 1
            isEmpty = false
            if byte == 10 { line += 1 }
            if isQuoted {
                if byte == UInt8(ascii: "\"") { isQuoted = false } else { fields[fields.count - 1].append(byte) }
                wasQuoted = !isQuoted
                guard fields[fields.count - 1].count <= 65_536 else { throw error("a field is too long") }
                continue
            }
            if byte == UInt8(ascii: "\"") {
                // A doubled quote inside quotes is one quote.
                if wasQuoted { fields[fields.count - 1].append(byte) }
                isQuoted = true
            } else if byte == separator {
                fields.append([])
            } else if byte == 10 {
                hasLineBreak = true
                return true
            } else if byte != 13 {
                fields[fields.count - 1].append(byte)
            }
            wasQuoted = false
            guard fields.count <= 1_000, fields[fields.count - 1].count <= 65_536 else {
                throw error("a line is too long")
            }
        }
    }
}
