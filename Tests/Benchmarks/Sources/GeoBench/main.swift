import FoundationEssentials
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailGeoRecorder
import TaffrailLocationManager
import TaffrailRecording

// `taffrail-geo-bench record|pipeline|list|info|passthrough DIRECTORY [COUNT]` prints one line of JSON. See geo.py.
// `taffrail-geo-bench geocode DATABASE COORDINATES` looks up a file of coordinates. See geocoder.py.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(64) }
let directory = arguments[2]
let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 1_000_000

/// Seconds of the clock that only goes forward.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A line of `/proc/self/status`, in bytes.
func memory(_ key: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.hasPrefix(key + ":") { return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1_024 }
    }
    return 0
}

/// A fix of a drive, with all values of a good receiver; the same work for every number.
func fix(_ number: Int) -> Location {
    var location = Location(
        latitude: 55.6761 + Double(number) * 1e-7, longitude: 12.5683 + Double(number) * 2e-7,
        timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(number) * 100_000_000))
    location.altitude = 35.2
    location.ellipsoidalAltitude = 75.1
    location.horizontalAccuracy = 3.4
    location.verticalAccuracy = 5.6
    location.course = Double(number % 3_600) / 10
    location.speed = 13.37
    return location
}

/// Where the peak of resident memory is counted from.
func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
}

func report(_ seconds: Double, events: Int, growth: Int) {
    print("{\"seconds\":\(seconds),\"events\":\(events),\"rss_growth\":\(growth)}")
}

switch arguments[1] {
case "geocode": try geocode(database: directory, coordinates: arguments.count > 3 ? arguments[3] : "")
case "record":
    // The recorder alone: a batch of 100 events in one step, as the writer thread hands them over.
    let session = RecordingSession(RecordingOptions(directory: directory))
    let received = Timestamp.now
    try session.take(.location(fix(0)), received: received, uptime: 0)
    try session.commit()
    resetPeak()
    let before = memory("VmRSS")
    let start = now()
    for number in 1..<count {
        try session.take(.location(fix(number)), received: received, uptime: Int64(number) * 100_000_000)
        if number % 100 == 0 { try session.commit() }
    }
    try session.commit()
    try session.finish()
    report(now() - start, events: count, growth: memory("VmHWM") - before)
case "pipeline":
    // The whole way: a call, the durable queue, the writer thread, the recorder.
    let sink = GeoRecorderSink(GeoRecorderOptions(RecordingOptions(directory: directory)))
    let pipeline = Pipeline(sinks: [sink])
    GeoEvent.location(fix(0)).log(into: pipeline)
    pipeline.drain()
    resetPeak()
    let before = memory("VmRSS")
    let start = now()
    for number in 1..<count { GeoEvent.location(fix(number)).log(into: pipeline) }
    guard pipeline.shutdown() else { exit(1) }
    report(now() - start, events: count, growth: memory("VmHWM") - before)
case "list":
    let manager = RecordingManager(directory: URL(filePath: directory))
    let before = memory("VmRSS")
    let start = now()
    let recordings = manager.listRecordings()
    let seconds = now() - start
    guard recordings.allSatisfy({ !$0.isMetadataMissing && $0.eventCount > 0 }) else { exit(1) }
    report(seconds, events: recordings.count, growth: memory("VmHWM") - before)
case "info":
    let manager = RecordingManager(directory: URL(filePath: directory))
    let names = manager.listRecordings().map(\.name)
    let start = now()
    for name in names { _ = try manager.recording(name: name) }
    report(now() - start, events: names.count, growth: 0)
case "passthrough":
    // The same fixes to a delegate of a manager, and to that of a logger that passes them through.
    let bare = Passage { queue, feed, told in
        let manager = LocationManager(feed: feed, queue: queue)
        let delegate = ManagerDelegate(told)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        return [manager, delegate]
    }
    let through = Passage { queue, feed, told in
        let logger = GeoLogger(
            configuration: GeoLoggerConfiguration(), locationManager: LocationManager(feed: feed, queue: queue))
        let delegate = LoggerDelegate(told)
        logger.delegate = delegate
        logger.startUpdatingLocation()
        return [logger, delegate]
    }
    // In turns, so that other load of the machine affects both.
    var seconds = (bare: 0.0, through: 0.0)
    for turn in 0..<count / 1_000 {
        let first = turn.isMultiple(of: 2)
        if first { seconds.bare += bare.pass(1_000) }
        seconds.through += through.pass(1_000)
        if !first { seconds.bare += bare.pass(1_000) }
    }
    guard bare.told.count == count && through.told.count == count else { exit(1) }
    print("{\"bare\":\(seconds.bare / Double(count)),\"through\":\(seconds.through / Double(count))}")
default: exit(64)
}
