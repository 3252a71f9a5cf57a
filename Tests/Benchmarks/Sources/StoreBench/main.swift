// Measures a store of positions; store.py calls it, and README.md explains the results.
//
//   taffrail-store-bench fill|bare FILE COUNT      saves points; with a bare loop of prepared statements on the same tables
//   taffrail-store-bench analyse FILE              divides them into visits and trips
//   taffrail-store-bench query FILE                the first page of each kind of query, and the memory
//   taffrail-store-bench screen FILE COUNT         a track of the store, simplified for a screen
//   taffrail-store-bench simplify COUNT            a track in memory, simplified for a screen

import Foundation
import GRDBSQLite
import Taffrail
import TaffrailGeo
import TaffrailStore
import TaffrailTracks

let arguments = CommandLine.arguments.dropFirst()
let batch = 1_000

/// A boat that goes in curves, a fix a second.
struct Voyage {
    var index = 0
    var latitude = 55.0
    var longitude = 12.0
    var heading = 0.0

    mutating func next() -> TrackPoint {
        heading += Double((index / 600) % 7 - 3) * 1e-3
        latitude += cos(heading) * 4e-5
        longitude += sin(heading) * 6e-5
        if abs(latitude - 55) > 5 { heading += .pi }
        var point = TrackPoint(
            timestamp: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 1_000_000_000), lat: latitude,
            lon: longitude, hAcc: 5, speed: 5.2, device: "boat", session: "voyage")
        point.altitude = 1.5
        point.course = 120
        point.source = "/dev/ttyACM0"
        index += 1
        return point
    }
}

func size(_ path: String) -> Int {
    [path, path + "-wal"].reduce(0) { sum, path in
        sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
    }
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
}

func report(_ values: [String: Any]) throws {
    print(String(decoding: try JSONSerialization.data(withJSONObject: values, options: .sortedKeys), as: UTF8.self))
}

func fill(_ path: String, _ count: Int) throws {
    let store = TrackStore.at(path)
    var voyage = Voyage()
    let time = try seconds {
        for start in stride(from: 0, to: count, by: batch) {
            try store.save((start..<min(count, start + batch)).map { _ in voyage.next() })
        }
        try store.close()
    }
    try report(["seconds": time, "rate": Double(count) / time, "bytes": Double(size(path)) / Double(count)])
}

/// The same rows, by SQLite alone.
func bare(_ path: String, _ count: Int) throws {
    let store = TrackStore.at(path)
    try store.save([TrackPoint(timestamp: Timestamp(nanoseconds: 0), lat: 0, lon: 0, device: "boat", session: "voyage")]
    )
    try store.close()
    var db: OpaquePointer?
    precondition(sqlite3_open(path, &db) == SQLITE_OK)
    defer { sqlite3_close(db) }
    let pragmas = "PRAGMA secure_delete = ON; PRAGMA cache_size = -8192; PRAGMA synchronous = NORMAL"
    precondition(sqlite3_exec(db, pragmas, nil, nil, nil) == SQLITE_OK)
    var statement: OpaquePointer?
    let sql = """
        INSERT OR IGNORE INTO point(time, hash, nanoseconds, lat, lon, hacc, speed, altitude, course, vacc, climb, device,
        source, session, battery, zone, sequence, flags) VALUES(?, ?, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, 1, 1, 1, NULL, NULL, NULL, 0)
        """
    precondition(sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    var voyage = Voyage()
    let time = seconds {
        for start in stride(from: 0, to: count, by: batch) {
            sqlite3_exec(db, "BEGIN IMMEDIATE", nil, nil, nil)
            for _ in start..<min(count, start + batch) {
                let point = voyage.next()
                let numbers = [
                    point.timestamp.nanoseconds / 1_000_000,
                    Int64(bitPattern: UInt64(voyage.index) &* 0x9E37_79B9_7F4A_7C15),
                    Int64((point.lat * 1e7).rounded()), Int64((point.lon * 1e7).rounded()), 500, 520, 150, 12_000,
                ]
                for (index, number) in numbers.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), number) }
                precondition(sqlite3_step(statement) == SQLITE_DONE)
                sqlite3_reset(statement)
            }
            sqlite3_exec(db, "COMMIT", nil, nil, nil)
        }
    }
    try report(["seconds": time, "rate": Double(count) / time])
}

func query(_ path: String) throws {
    let reader = try StoreReader(path)
    guard let oldest = try reader.oldest(), let newest = try reader.newest() else { return }
    let middle = Timestamp(nanoseconds: (oldest.timestamp.nanoseconds + newest.timestamp.nanoseconds) / 2)
    let wanted = try reader.points(
        {
            var query = TrackQuery()
            query.since = middle
            query.limit = 1
            return query
        }())
    let place = wanted[0].coordinate
    let changes: [(String, (inout TrackQuery) -> Void)] = [
        ("newest", { $0.isNewestFirst = true }), ("oldest", { _ in }), ("time", { $0.since = middle }),
        ("box", { $0.box = CoordinateBox(around: place, radius: 2_000) }),
        ("place", { $0.place = NamedPlace(name: "there", center: place, radius: 2_000) }),
        ("session", { $0.session = "voyage" }), ("device", { $0.device = "boat" }),
        (
            "device, newest",
            {
                $0.device = "boat"
                $0.isNewestFirst = true
            }
        ),
    ]
    var values: [String: Any] = [:]
    for (name, change) in changes {
        var query = TrackQuery()
        query.limit = 100
        change(&query)
        var best = Double.infinity
        for _ in 0..<3 { best = min(best, try seconds { _ = try reader.points(query) }) }
        values[name] = best * 1_000
    }
    // In the middle of an hour's extent, where the boat need not have been.
    var hour = TrackQuery()
    hour.since = middle
    hour.limit = 3_600
    let track = try reader.points(hour).map(\.coordinate)
    func center(_ values: [Double]) -> Double { ((values.min() ?? 0) + (values.max() ?? 0)) / 2 }
    var around = TrackQuery()
    around.limit = 100
    around.box = CoordinateBox(
        around: Coordinate(latitude: center(track.map(\.latitude)), longitude: center(track.map(\.longitude))),
        radius: 5)
    var best = Double.infinity
    for _ in 0..<3 { best = min(best, try seconds { _ = try reader.points(around) }) }
    values["box within an hour's extent"] = best * 1_000
    values["rss"] = try peak()
    try report(values)
}

/// The greatest resident memory in MiB.
func peak() throws -> Int? {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    return status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        .flatMap { Int($0.split(whereSeparator: { !$0.isNumber })[0]) }.map { $0 / 1_024 }
}

/// A track of the newest points: by a tolerance of 50 m, and by one that is finer than the overviews, so that every point is read.
func screen(_ path: String, _ count: Int) throws {
    let reader = try StoreReader(path)
    guard let newest = try reader.newest() else { return }
    var query = TrackQuery()
    query.since = Timestamp(nanoseconds: newest.timestamp.nanoseconds - Int64(count - 1) * 1_000_000_000)
    var values: [String: Any] = [:]
    for (name, tolerance) in [("50 m", 50.0), ("15 m", 15)] {
        var best = Double.infinity
        var kept = 0
        for _ in 0..<3 {
            let time = try seconds {
                kept = try reader.lines(query, tolerance: tolerance).reduce(0) { $0 + $1.vertices.count }
            }
            best = min(best, time)
        }
        values[name] = ["seconds": best, "points": kept]
    }
    values["rss"] = try peak()
    try report(values)
}

switch arguments.first {
case "fill": try fill(arguments[2], Int(arguments[3]) ?? 0)
case "bare": try bare(arguments[2], Int(arguments[3]) ?? 0)
case "analyse":
    let time = try seconds { try TrackStore.at(arguments[2]).analyse() }
    try report(["seconds": time, "trips": try StoreReader(arguments[2]).journeys().trips.count])
case "query": try query(arguments[2])
case "screen": try screen(arguments[2], Int(arguments[3]) ?? 0)
case "simplify":
    var voyage = Voyage()
    let track = (0..<(Int(arguments[2]) ?? 0)).map { _ in voyage.next().coordinate }
    var kept = 0
    let time = seconds { kept = TrackSimplification.indices(track, tolerance: 50).count }
    try report(["seconds": time, "kept": kept])
default: print("usage: taffrail-store-bench fill|bare|analyse|query|screen|simplify …")
}
