#if Command && Server && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery
internal import TaffrailReading
internal import TaffrailRecording
internal import TaffrailStore
internal import TaffrailText
internal import TaffrailTracks

/// The contents of files in two stores, as the viewer needs them. One thread at a time.
final class ViewedFiles {
    /// The store of records.
    let logPath: String
    /// The store of positions.
    let trackPath: String
    private let logs: LogStore
    private let tracks: TrackStore
    /// The device of each file's positions, by path.
    private let names: [String: String]
    private var records: [StoredRecord] = []
    private var points: [TrackPoint] = []
    /// The number of records and positions.
    private(set) var count = 0

    private static let batch = 2_000

    /// - Parameters:
    ///   - directory: The directory of the stores.
    ///   - paths: All files that will be added.
    init(in directory: String, of paths: [String]) {
        names = Self.names(of: paths)
        logPath = directory + "/logs.sqlite"
        trackPath = directory + "/track.sqlite"
        logs = LogStore.at(logPath)
        tracks = TrackStore.at(trackPath)
    }

    /// Adds a file.
    ///
    /// - Throws: The exit status of a file that cannot be read, which has been reported. Data read before the damage is
    ///   shown.
    func add(_ path: String) throws {
        let name = names[path] ?? path
        switch try ViewedFormat(of: path) {
        case .log: try addLog(path, name)
        case .track(let format): try addTrack(path, format, name)
        case .points(let format): try addPoints(path, format, name)
        }
    }

    /// Saves the rest, and finds visits and trips.
    func finish() throws {
        try save()
        try Self.storing { () throws(StoreError) in
            // A reader needs the tables.
            try logs.open()
            try tracks.open()
            try tracks.analyse()
            try logs.close()
            try tracks.close()
        }
    }

    /// Returns a name for each file that no other one has: without directories and extension; with its directory, as
    /// those that OwnTracks Recorder makes for each device; or its path.
    private static func names(of paths: [String]) -> [String: String] {
        var names: [String: String] = [:]
        var rest = Set(paths)
        for name in [FileName.stem, stemInDirectory] {
            let groups = Dictionary(grouping: rest, by: name)
            for (name, paths) in groups where paths.count == 1 {
                names[paths[0]] = name
                rest.remove(paths[0])
            }
        }
        for path in rest { names[path] = path }
        return names
    }

    private static func stemInDirectory(_ path: String) -> String {
        let directory = Directory.parent(of: path).map(FileName.base)
        return (directory.map { "\($0)/" } ?? "") + FileName.stem(of: path)
    }

    // MARK: Reading

    private func addTrack(_ path: String, _ format: TrackFormat, _ name: String) throws {
        do {
            let reader = try format.reader(path: path)
            while let event = try reader.next() {
                switch event.event {
                case .location(let location): try add(location, received: event.timestamp, name)
                case .error: try add(event.event.record(received: event.timestamp), name)
                case .log(let record): try add(record, name)
                }
            }
            TrackFile.reportWarnings(reader.warnings)
        } catch let error as RecordingError {
            // A recording that was cut off by a crash is shown up to that point.
            guard error.kind == .malformed, count > 0 else { throw ExitCode(error).reporting(error) }
            StandardStream.report("\(error)", isPrefixed: error.line == nil)
        }
    }

    private func add(_ location: Location, received: Timestamp, _ name: String) throws {
        guard let point = TrackPoint(location, device: name, session: name, received: received) else { return }
        points.append(point)
        var record = GeoEvent.location(location).record(received: point.timestamp)
        record.attributes.append(LogValueEntry(OriginAttributes.deviceID, .string(name)))
        try add(record, name)
    }

    private func add(_ record: LogRecord, _ name: String) throws {
        records.append(StoredRecord(record, device: name))
        count += 1
        if records.count >= Self.batch { try save() }
    }

    /// Adds points in a format that only the store reads; reads them back as records, by the path as their session.
    private func addPoints(_ path: String, _ format: ImportFormat, _ name: String) throws {
        try save()
        do {
            let imported = try tracks.importPoints(path, format: format, device: name, session: path)
            TrackFile.reportSkipped(Int64(imported.skipped), in: path)
        } catch let error as RecordingError {
            throw ExitCode(error).reporting(error)
        } catch let error as StoreError {
            throw ExitCode(error).reporting(error)
        }
        var query = TrackQuery()
        query.session = path
        let reader = try Self.storing { () throws(StoreError) in try StoreReader(trackPath) }
        do {
            try reader.forEach(query) { point in
                try add(GeoEvent.location(point.location).record(received: point.timestamp), name)
            }
        } catch let error as StoreError {
            throw ExitCode(error).reporting(error)
        }
    }

    private func addLog(_ path: String, _ name: String) throws {
        var options = LogTail.Options()
        options.format = .json
        let tail: LogTail
        do throws(LogTail.Refusal) {
            tail = try LogTail(paths: [path], options) { StandardStream.report($0) }
        } catch {
            throw (error.isDenied ? ExitCode.noPermission : .noInput).reporting("\(path): \(error.description)")
        }
        let parser = InputLine()
        var failure: (any Error)?
        tail.run(descriptor: -1) { bytes in
            do {
                for line in bytes.split(separator: UInt8(ascii: "\n")) {
                    guard let record = parser.object(UnsafeRawBufferPointer(rebasing: line))?.record else { continue }
                    if let location = GeoEvent(record).location,
                        let point = TrackPoint(location, device: name, session: name, received: record.timestamp)
                    {
                        points.append(point)
                    }
                    try add(record, "")
                }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        if tail.isDenied { throw ExitCode.noPermission }
        if tail.hasMissing { throw ExitCode.noInput }
    }

    // MARK: Saving

    private func save() throws {
        try Self.storing { () throws(StoreError) in
            if !records.isEmpty { try logs.save(records) }
            if !points.isEmpty { try tracks.save(points) }
        }
        records.removeAll(keepingCapacity: true)
        points.removeAll(keepingCapacity: true)
    }

    /// Reports an error of a store.
    private static func storing<R>(_ body: () throws(StoreError) -> R) throws -> R {
        do throws(StoreError) { return try body() } catch { throw ExitCode(error).reporting(error) }
    }
}
#endif
