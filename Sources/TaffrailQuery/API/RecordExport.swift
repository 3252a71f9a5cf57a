internal import Taffrail
internal import TaffrailText

/// The records of a selection as a file.
struct RecordExport {
    private let format: ExportFormat
    private var bytes: [UInt8] = []
    private var gpx = GPXExport()

    /// The maximum number of bytes of an answer, unless a single page has more.
    private static let mostBytes = 16 << 20

    init(_ format: ExportFormat) {
        self.format = format
        if format == .csv { append(StoredRecord.columnNames) }
    }

    /// Exports the records, up to the limit of the request.
    ///
    /// - Returns: The file, and the cursor of the rest.
    static func run(
        _ request: RecordRequest, _ format: ExportFormat, _ logs: any LogQuery
    ) throws(LogQueryError) -> (bytes: [UInt8], next: String?) {
        var export = RecordExport(format)
        var request = request
        var left = request.limit
        let budget = QueryBudget.current
        repeat {
            request.limit = min(1_000, left)
            let page = try logs.records(request)
            page.records.forEach { export.append($0) }
            left -= page.records.count
            request.cursor = page.next
        } while request.cursor != nil && left > 0 && export.size < mostBytes && budget?.isNearlyOver != true
        let bytes = format == .gpx ? export.gpx.bytes(isReversed: request.isNewestFirst) : export.bytes
        return (bytes, request.cursor)
    }

    private var size: Int { bytes.count + gpx.size }

    private mutating func append(_ record: StoredRecord) {
        switch format {
        case .gpx: gpx.append(record)
        case .ndjson:
            bytes += record.json
            bytes.append("\n")
        case .csv: append(record.columns)
        }
    }

    private mutating func append(_ columns: [String]) {
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(",") }
            CSVText.append(column, to: &bytes)
        }
        bytes.append("\n")
    }
}
