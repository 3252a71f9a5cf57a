// Measures the sink `http`; delivery.py calls it, and README.md explains the results.
//
//   taffrail-delivery-bench send DIR URL COUNT            logs records, and ends when the collector has confirmed all of them
//   taffrail-delivery-bench call DIR URL|- BATCHES SIZE   what a call costs its thread: a file, with or without a sink http
//   taffrail-delivery-bench fill DIR BYTES                logs into a spool without a collector until it has so many bytes
//   taffrail-delivery-bench open DIR                      opens that spool

import Foundation
import Glibc
import Taffrail
import TaffrailHTTPRemote

let arguments = Array(CommandLine.arguments.dropFirst())

/// The elements of which every record is made; their count is a power of two.
let users = (0..<8).map { "member-683\($0)" }

func report(_ values: [String: Any]) throws {
    print(String(decoding: try JSONSerialization.data(withJSONObject: values, options: .sortedKeys), as: UTF8.self))
}

/// A clock in nanoseconds.
func time(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// A line of `/proc/self/status`, in KiB.
func memory(_ key: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    return status.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        .flatMap { Int($0.split(whereSeparator: { !$0.isNumber })[0]) } ?? 0
}

func instance(_ directory: String) -> PluginInstance {
    PluginInstance(name: "http", logDirectory: directory, program: "delivery-bench")
}

/// A sink with a spool that drops nothing.
func sink(_ directory: String, _ url: String, size: ByteSize = .gibibytes(8)) -> HTTPRemoteSink {
    var options = HTTPRemoteOptions(url: url)
    options.spool.size = size
    options.spool.whenFull = .hold
    options.drain = .seconds(600)
    return HTTPRemoteSink(options, instance: instance(directory))
}

@inline(never)
func log(_ ids: Range<Int>, to logger: Logger) {
    for id in ids {
        logger.info(
            "request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200",
            ["http.route": "/orders/{id}", "http.response.status_code": 200, "client.address": "192.0.2.7"])
    }
}

func send(_ directory: String, _ url: String, _ count: Int) throws {
    let start = time()
    let pipeline = Pipeline(sinks: [sink(directory, url)])
    log(0..<count, to: pipeline.logger("net.http"))
    let logged = time()
    guard pipeline.shutdown(timeout: .seconds(900)) else { exit(1) }
    let (end, cpu) = (time(), time(CLOCK_PROCESS_CPUTIME_ID))
    try report([
        "rate": Double(count) * 1e9 / Double(end - start), "logging": Double(logged - start) / 1e9,
        "cpu": Double(cpu) / 1e3 / Double(count), "peak": try memory("VmHWM") / 1024,
    ])
}

func call(_ directory: String, _ url: String, _ batches: Int, _ size: Int) throws {
    var sinks: [any Sink] = [try FileSink(FileOptions(path: directory + "/app.log"))]
    if url != "-" { sinks.append(sink(directory, url)) }
    let pipeline = Pipeline(sinks: sinks)
    let logger = pipeline.logger("net.http")
    var (wall, cpu): ([Double], [Double]) = ([], [])
    for batch in 0..<batches + 5 {
        let (start, used) = (time(), time(CLOCK_THREAD_CPUTIME_ID))
        log(batch * size..<(batch + 1) * size, to: logger)
        let (end, usedNow) = (time(), time(CLOCK_THREAD_CPUTIME_ID))
        // The first ones warm it up.
        if batch >= 5 {
            wall.append(Double(end - start) / Double(size))
            cpu.append(Double(usedNow - used) / Double(size))
        }
        usleep(20_000)
    }
    guard pipeline.shutdown(timeout: .seconds(900)) else { exit(1) }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    try report([
        "wall": median(wall), "cpu": median(cpu), "mean": wall.reduce(0, +) / Double(wall.count),
        "meancpu": cpu.reduce(0, +) / Double(cpu.count),
    ])
}

/// Records of about a kibibyte, as real as they are: a frame is what the queue has given the writer at once.
func fill(_ directory: String, _ bytes: Int) throws {
    var options = HTTPRemoteOptions(url: "http://127.0.0.1:9/v1/logs")
    options.spool.size = .gibibytes(1024)
    options.drain = .zero
    let pipeline = Pipeline(sinks: [HTTPRemoteSink(options, instance: instance(directory))])
    let logger = pipeline.logger("net.http")
    let text = String(repeating: "a record of some length; ", count: 36)
    let start = time()
    let count = bytes / 1024
    for id in 0..<count { logger.info("request id=\(id) \(text)", ["client.address": "192.0.2.7"]) }
    guard pipeline.drain(timeout: .seconds(900)) else { exit(1) }
    pipeline.shutdown()
    try report(["records": count, "seconds": Double(time() - start) / 1e9])
}

func open(_ directory: String) throws {
    var options = HTTPRemoteOptions(url: "http://127.0.0.1:9/v1/logs")
    options.spool.size = .gibibytes(1024)
    options.drain = .zero
    let sink = HTTPRemoteSink(options, instance: instance(directory))
    let before = try memory("VmRSS")
    let start = time()
    try sink.openDestination()
    let end = time()
    let opened = try memory("VmHWM")
    // The first request is encoded, and refused by the port.
    sink.attach(.none)
    usleep(3_000_000)
    let values: [String: Any] = [
        "milliseconds": Double(end - start) / 1e6, "before": before, "peak": opened,
        "peak sending": try memory("VmHWM"),
    ]
    try sink.close()
    try report(values)
}

switch arguments.first {
case "send": try send(arguments[1], arguments[2], Int(arguments[3]) ?? 0)
case "call": try call(arguments[1], arguments[2], Int(arguments[3]) ?? 0, Int(arguments[4]) ?? 0)
case "fill": try fill(arguments[1], Int(arguments[2]) ?? 0)
case "open": try open(arguments[1])
default: print("usage: taffrail-delivery-bench send|call|fill|open …")
}
