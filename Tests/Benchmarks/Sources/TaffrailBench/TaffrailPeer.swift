import CBench
import Glibc
import Taffrail

/// Taffrail without any set-up, except for the file, its rotation and the number of files to keep.
nonisolated(unsafe) let taffrailPeer = bench_implementation(
    name: strdup("taffrail"),
    start: { directory in startTaffrail(directory: directory) },
    log_lines: { _, first, count in Workload.logLines(Workload.ids(first, count)) },
    log_with_attributes: { _, first, count in logWithAttributes(Workload.ids(first, count)) },
    finish: { directory, bytes in
        // Below an instrumenting tool the wait would be counted; a flush costs the same whatever was logged.
        if getenv("BENCH_FLUSH") != nil { Logger.shared.flush() } else { bench_await_bytes(directory, bytes) }
    },
    log_disabled: { Workload.logDisabled(Int($0)) },
    loop_empty: { Workload.loopEmpty(count: $0) })

/// The same with messages that end like an attribute, which the file sink escapes: lines of 101 bytes. Only to count
/// instructions.
nonisolated(unsafe) let taffrailEqualsPeer = bench_implementation(
    name: strdup("taffrail-equals"),
    start: { directory in startTaffrail(directory: directory) },
    log_lines: { _, first, count in logEquals(Workload.ids(first, count)) },
    log_with_attributes: nil,
    finish: { _, _ in Logger.shared.flush() },
    log_disabled: nil,
    loop_empty: nil)

/// The same in a program whose records have a position. Its lines are longer.
nonisolated(unsafe) let taffrailLocatedPeer = bench_implementation(
    name: strdup("taffrail-located"),
    start: { directory in
        startTaffrail(directory: directory)
        Pipeline.shared.add(Place())
    },
    log_lines: { _, first, count in Workload.logLines(Workload.ids(first, count)) },
    log_with_attributes: nil,
    finish: { _, _ in Logger.shared.flush() },
    log_disabled: nil,
    loop_empty: nil)

/// What `geo-attributes` adds with a geocoder.
private struct Place: ContextProvider {
    func publish(into slot: Pipeline.ContextSlot) {
        try? slot.publish([
            "geo.location.lat": 55.6761, "geo.location.lon": 12.5683, "taffrail.geo.time": .date(.now),
            "geo.country.iso_code": "DK", "geo.region.iso_code": "DK-84", "geo.locality.name": "Harbourtown",
            "geo.postal_code": "1050", "geo.continent.code": "EU", "taffrail.geo.horizontal_accuracy": 4.5,
            "taffrail.geo.device": "/dev/ttyACM0",
        ])
    }
}

func startTaffrail(directory: UnsafePointer<CChar>?) {
    guard let directory else { exit(1) }
    setenv("TAFFRAIL_FILE", String(cString: directory) + "/app.log", 1)
    setenv("TAFFRAIL_ROTATE_SIZE", "32MiB", 1)
    setenv("TAFFRAIL_KEEP", "8", 1)
    _ = Logger.shared
}

@inline(never)
private func logEquals(_ ids: Range<Int>) {
    let users = Workload.users
    for id in ids {
        Logger.shared.info("request id=\(id) served for user=\(users[id & 7]) by pool=main rc=200")
    }
}

@inline(never)
private func logWithAttributes(_ ids: Range<Int>) {
    let users = Workload.users
    for id in ids {
        Logger.shared.info(
            "request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200",
            ["shard": .int(Int64(id & 15)), "cached": .bool(id & 1 == 0)])
    }
}
