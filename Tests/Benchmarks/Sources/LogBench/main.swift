// Measures a store of records; logs.py calls it, and README.md explains the results.
//
//   taffrail-log-bench fill|bare FILE COUNT        saves records in batches of 512; by a bare loop of prepared statements
//   taffrail-log-bench query FILE                  pages, counts and filtered first rows, and the memory

import Foundation
import GRDBSQLite
import Taffrail
import TaffrailGeo
import TaffrailQuery
import TaffrailStore

let arguments = CommandLine.arguments.dropFirst()
let batch = 512

/// A fleet of twenty devices that log a record a second together, in sentences of some words and three attributes.
struct Fleet {
    private var index = 0
    private var state: UInt64 = 1
    private static let loggers = ["net.http", "net.mqtt", "gpsd", "engine", "battery", "ui", "store", "app"]
    private static let verbs = ["sent", "received", "dropped", "delayed", "stored", "refused", "parsed", "queued"]
    private static let nouns = ["request", "position", "packet", "message", "reply", "block", "batch", "frame"]
    private static let levels: [Level] = [.debug, .info, .info, .info, .info, .info, .notice, .warning]

    private mutating func random(_ limit: UInt64) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % limit)
    }

    mutating func next() -> StoredRecord {
        let device = random(20)
        let verb = Self.verbs[random(8)]
        let noun = Self.nouns[random(8)]
        // One in ten thousand is rare.
        let isRare = random(10_000) == 0
        let status = isRare ? 599 : 200 + 100 * random(4)
        var record = StoredRecord(
            time: Timestamp(
                nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 1_000_000_000 + Int64(random(1_000_000_000))),
            level: isRare ? .error : Self.levels[random(8)],
            message: "\(noun) \(index) \(verb) by peer 10.0.\(random(255)).\(random(255)) after \(random(900)) ms"
                + (isRare ? " with a brownout" : ""), eventName: random(10) == 0 ? "geo.location" : nil,
            logger: Self.loggers[random(8)], device: "device-\(device)",
            attributes: [
                LogValueEntry("status", .int(Int64(status))), LogValueEntry("bytes", .int(Int64(random(100_000)))),
                LogValueEntry("path", .string("/api/\(noun)")),
            ], run: "00000000000000\(10 + device)", sequence: UInt64(index + 1))
        record.coordinate = Coordinate(
            latitude: 55 + Double(random(1_000)) / 1_000, longitude: 12 + Double(random(1_000)) / 1_000)
        index += 1
        return record
    }
}

func size(_ path: String) -> Int {
    [path, path + "-wal"].reduce(0) { sum, path in
        sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
    }
}

func seconds(_ body: () throws -> Void) rethrows -> Double { try ContinuousClock().measure(body) / .seconds(1) }

func report(_ values: [String: Any]) throws {
    print(String(decoding: try JSONSerialization.data(withJSONObject: values, options: .sortedKeys), as: UTF8.self))
}

func residentMebibytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) / 1_024
}

/// Only saving counts; making the records does not.
func fill(_ path: String, _ count: Int) throws {
    let store = LogStore.at(path)
    try store.open()
    var fleet = Fleet()
    var time = 0.0
    for start in stride(from: 0, to: count, by: batch) {
        let records = (start..<min(count, start + batch)).map { _ in fleet.next() }
        time += try seconds { try store.save(records) }
    }
    time += try seconds { try store.close() }
    try report([
        "seconds": time, "rate": Double(count) / time, "bytes": Double(size(path)) / Double(count),
        "rss": residentMebibytes(),
    ])
}

/// The same rows in the table of records, the index of words and the counts of minutes, by SQLite alone.
func bare(_ path: String, _ count: Int) throws {
    let store = LogStore.at(path)
    try store.open()
    try store.close()
    var db: OpaquePointer?
    precondition(sqlite3_open(path, &db) == SQLITE_OK)
    defer { sqlite3_close(db) }
    let pragmas =
        "PRAGMA secure_delete = ON; PRAGMA cache_size = -8192; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216"
    precondition(sqlite3_exec(db, pragmas, nil, nil, nil) == SQLITE_OK)
    func prepared(_ sql: String) -> OpaquePointer? {
        var statement: OpaquePointer?
        precondition(sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK)
        return statement
    }
    let row = prepared(
        """
        INSERT INTO record(id, time, arrival, level, logger, device, event, origin, sequence, lat, lon, message, attributes)
        VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let words = prepared("INSERT INTO record_text(rowid, message, event) VALUES(?, ?, ?)")
    let tally = prepared(
        """
        INSERT INTO tally(span, slot, level, logger, device, event, count) VALUES(60, ?, ?, ?, ?, ?, 1)
        ON CONFLICT DO UPDATE SET count = count + 1
        """)
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    var fleet = Fleet()
    var time = 0.0
    for start in stride(from: 0, to: count, by: batch) {
        let records = (start..<min(count, start + batch)).map { _ in fleet.next() }
        let json = records.map {
            "{" + $0.attributes.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
        }
        time += seconds {
            sqlite3_exec(db, "BEGIN IMMEDIATE", nil, nil, nil)
            for (index, record) in records.enumerated() {
                let nanoseconds = record.time.nanoseconds
                let id = (nanoseconds / 1_000_000) << 20 | nanoseconds % 1_000_000
                let place = record.coordinate ?? Coordinate(latitude: 0, longitude: 0)
                let numbers = [
                    id, nanoseconds, nanoseconds, Int64(record.level.rawValue), Int64(record.logger.utf8.count), 1, 1,
                    1,
                    Int64(bitPattern: record.sequence ?? 0), Int64(place.latitude * 1e7), Int64(place.longitude * 1e7),
                ]
                for (index, number) in numbers.enumerated() { sqlite3_bind_int64(row, Int32(index + 1), number) }
                sqlite3_bind_text(row, 12, record.message, -1, copied)
                sqlite3_bind_text(row, 13, json[index], -1, copied)
                precondition(sqlite3_step(row) == SQLITE_DONE)
                sqlite3_reset(row)
                sqlite3_bind_int64(words, 1, id)
                sqlite3_bind_text(words, 2, record.message, -1, copied)
                if let event = record.eventName {
                    sqlite3_bind_text(words, 3, event, -1, copied)
                } else {
                    sqlite3_bind_null(words, 3)
                }
                precondition(sqlite3_step(words) == SQLITE_DONE)
                sqlite3_reset(words)
                let key = [
                    nanoseconds / 60_000_000_000, Int64(record.level.rawValue), Int64(record.logger.utf8.count),
                    Int64(record.device.utf8.last ?? 0), record.eventName == nil ? 0 : 1,
                ]
                for (index, number) in key.enumerated() { sqlite3_bind_int64(tally, Int32(index + 1), number) }
                precondition(sqlite3_step(tally) == SQLITE_DONE)
                sqlite3_reset(tally)
            }
            sqlite3_exec(db, "COMMIT", nil, nil, nil)
        }
    }
    sqlite3_finalize(row)
    sqlite3_finalize(words)
    sqlite3_finalize(tally)
    try report(["seconds": time, "rate": Double(count) / time])
}

func query(_ path: String) throws {
    let reader = try LogStoreReader(path)
    var values: [String: Any] = [:]
    /// The best of three: the store is warm.
    func measure(_ name: String, _ body: () throws -> Void) rethrows {
        var best = Double.infinity
        for _ in 0..<3 { best = min(best, try seconds(body)) }
        values[name] = (best * 100_000).rounded() / 100
    }
    let middle = try reader.records(RecordRequest()).records[0].time.nanoseconds
    func page(_ name: String, _ text: String, _ change: (inout RecordRequest) -> Void = { _ in }) throws {
        var request = RecordRequest(try LogSelection(parsing: text))
        change(&request)
        try measure("page: " + name) { _ = try reader.records(request) }
    }
    try page("newest", "")
    try page("oldest", "") { $0.isNewestFirst = false }
    try page("in the middle", "") { request in
        request.selection = LogSelection().between(
            nil, Timestamp(nanoseconds: 1_700_000_000_000_000_000 + (middle - 1_700_000_000_000_000_000) / 2))
    }
    try page("level", "level>=error")
    try page("logger and device", "logger:net device:device-7")
    try page("frequent word", "\"request\"")
    try page("rare word", "brownout")
    try page("phrase", "\"refused by peer\"")
    try page("prefix", "brown*")
    try page("frequent attribute", "status>=500")
    try page("rare attribute", "status>=599")
    try page("part of a message", "message~\"th a brown\"")
    try page("near", "near:55.5,12.5,500m")
    try page("all together", "level>=warning logger:net \"request\" status>=400 near:55.5,12.5,20km")
    let id = try reader.records(RecordRequest(try LogSelection(parsing: "brownout"))).records[0].id
    try measure("around") { _ = try reader.records(around: id, before: 50, after: 50, matching: LogSelection()) }
    func histogram(_ name: String, _ text: String, _ grouping: LogGrouping? = .level) throws {
        var request = HistogramRequest(try LogSelection(parsing: text))
        request.grouping = grouping
        try measure("histogram: " + name) { _ = try reader.histogram(request) }
    }
    try histogram("all", "")
    try histogram("all by device", "", .device)
    try histogram("a day of minutes", "since:2023-11-16 until:2023-11-17")
    try histogram("level", "level>=error")
    try histogram("word", "\"request\"")
    try histogram("attribute", "status>=500")
    for field in ["level", "logger", "device", "event"] {
        try measure("facet: " + field) { _ = try reader.values(ValuesRequest(field)) }
    }
    try measure("values: attribute") { _ = try reader.values(ValuesRequest("status")) }
    try measure("devices") { _ = try reader.devices() }
    values["rss"] = residentMebibytes()
    try report(values)
}

switch arguments.first {
case "fill": try fill(arguments[2], Int(arguments[3]) ?? 0)
case "bare": try bare(arguments[2], Int(arguments[3]) ?? 0)
case "query": try query(arguments[2])
default: print("usage: taffrail-log-bench fill|bare|query …")
}
