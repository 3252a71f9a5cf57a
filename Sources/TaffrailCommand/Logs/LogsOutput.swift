#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery
internal import TaffrailReading
internal import TaffrailText

/// Prints answers to stdout.
final class LogsOutput {
    /// The formats of records and counts.
    enum Format: String, ExpressibleByArgument, CaseIterable { case table, json, csv }

    private let format: Format
    private let lines = TextLineRenderer()
    private var bytes: [UInt8] = []
    /// The error number that stopped the output, other than that of a closed pipe.
    private var failure: CInt?
    /// Whether the reader of the output has closed it.
    private(set) var isClosed = false
    /// The number of records that have been printed.
    private(set) var count = 0

    init(_ format: Format) {
        self.format = format
        StandardStream.ignoreClosedPipes()
    }

    // MARK: Answers

    func print(_ record: StoredRecord) {
        if count == 0, format == .csv {
            row(StoredRecord.columnNames)
        }
        count += 1
        switch format {
        case .json: line(record.json)
        case .csv: row(record.columns)
        case .table:
            lines.set(record)
            line(Array(lines.bytes))
        }
    }

    func print(_ histogram: Histogram) {
        let names = Set(histogram.buckets.flatMap { $0.counts.keys }).sorted()
        switch format {
        case .json:
            for bucket in histogram.buckets {
                line(
                    object([
                        ("time", .date(bucket.time)), ("interval", .double(histogram.interval / .seconds(1))),
                        (
                            "counts",
                            .map(
                                bucket.counts.sorted { $0.key < $1.key }.map {
                                    LogValueEntry($0.key, .int(Int64($0.value)))
                                })
                        ),
                    ]))
            }
        case .csv, .table:
            let isDivided = names != [""]
            row(["time"] + (isDivided ? names.map { $0.isEmpty ? "-" : $0 } : ["records"]))
            for bucket in histogram.buckets {
                row([RFC3339.string(bucket.time)] + names.map { "\(bucket.counts[$0] ?? 0)" })
            }
        }
    }

    func print(_ values: FieldValues) {
        if format == .csv { row(["value", "count"]) }
        for one in values.values {
            switch format {
            case .json: line(object([("value", one.value), ("count", .int(Int64(one.count)))]))
            case .csv: row([one.value.description, "\(one.count)"])
            case .table: row(["\(one.count)", one.value.description])
            }
        }
    }

    func print(_ devices: [LogDevice]) {
        if format == .csv { row(["device", "records", "last", "lat", "lon", "position"]) }
        for device in devices {
            let last = device.last.map { RFC3339.string($0) } ?? ""
            let coordinate = device.coordinate
            let seen = device.coordinateTime.map { RFC3339.string($0) } ?? ""
            switch format {
            case .json:
                var entries: [(String, LogValue)] = [
                    ("name", .string(device.name)), ("records", .int(Int64(device.records))),
                ]
                if let last = device.last { entries.append(("last", .date(last))) }
                if let coordinate {
                    entries += [("lat", .double(coordinate.latitude)), ("lon", .double(coordinate.longitude))]
                }
                if let time = device.coordinateTime { entries.append(("position_time", .date(time))) }
                line(object(entries))
            case .csv:
                row([
                    device.name, "\(device.records)", last, coordinate.map { "\($0.latitude)" } ?? "",
                    coordinate.map { "\($0.longitude)" } ?? "", seen,
                ])
            case .table:
                row([
                    device.name.isEmpty ? "-" : device.name, "\(device.records)", last,
                    coordinate.map { "\($0)" } ?? "",
                    seen,
                ])
            }
        }
    }

    // MARK: Lines

    private func object(_ entries: [(String, LogValue)]) -> [UInt8] {
        LogValue.map(entries.map { LogValueEntry($0.0, $0.1) }).json
    }

    /// Prints fields with commas or, in a table, with tabs: the contents of a store must not control a terminal.
    private func row(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if format == .csv {
                if index > 0 { bytes.append(",") }
                CSVText.append(field, to: &bytes)
            } else {
                if index > 0 { bytes.append("\t") }
                bytes.append(contentsOf: TerminalText.safe(field).utf8)
            }
        }
        line([])
    }

    private func line(_ line: [UInt8]) {
        bytes += line
        bytes.append("\n")
        if bytes.count > 1 << 16 { write() }
    }

    private func write() {
        if failure == nil, !isClosed {
            let code = bytes.withUnsafeBytes { StandardStream.write($0, to: 1) }
            isClosed = code == StandardStream.closedPipe
            if code != 0, !isClosed { failure = code }
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the rest; a reader that has closed the pipe is not a failure.
    ///
    /// - Throws: Exit status 74 if not everything could be written; the reason has been printed on stderr.
    func finish() throws(ExitCode) {
        write()
        if let failure { throw StandardStream.unwritten(failure) }
    }
}
#endif
