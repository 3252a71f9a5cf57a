import Glibc
import TaffrailGeo
import TaffrailTracks

/// The format that is fuzzed: `TAFFRAIL_FUZZ`, one of gpx, geojson, kml, csv, nmea, json.
private let format: TrackFormat = {
    guard let name = getenv("TAFFRAIL_FUZZ"), let format = TrackFormat(rawValue: String(cString: name)) else {
        print("TAFFRAIL_FUZZ must be one of gpx, geojson, kml, csv, nmea, json")
        exit(64)
    }
    return format
}()

/// A file in memory, which readers open by its name below /proc.
private let file: (descriptor: Int32, path: String) = {
    var name = Array("/dev/shm/taffrail-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { exit(73) }
    unlink(name)
    return (descriptor, "/proc/self/fd/\(descriptor)")
}()

/// Reads the bytes as a track. Whatever they are, it ends in positions that are on the earth, or in an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    ftruncate(file.descriptor, 0)
    pwrite(file.descriptor, bytes, count, 0)
    do {
        let reader = try format.reader(path: file.path)
        var statistics = TrackStatistics()
        while let event = try reader.next() {
            if let location = event.event.location { precondition(location.coordinate.isValid) }
            precondition(event.relativeTime.isFinite && event.relativeTime >= 0)
            statistics.add(event.event)
        }
        precondition(statistics.distance.isFinite)
    } catch {
        precondition(!error.description.isEmpty)
    }
    return 0
}
