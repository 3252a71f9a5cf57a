internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording

extension ReplayOptions {
    /// The device name of the first receiver to be replayed, which clients see before its first position; `nil` if it
    /// cannot be determined (the file cannot be read, or cannot be read twice), or the range to be replayed contains no
    /// receiver.
    package var firstDevice: String? {
        if let device { return GPSDServer.device(device) }
        guard path != "-", (try? FileStatus.following(path).isRegular) == true,
            var source = try? ReplaySource(path: path, format: format)
        else { return nil }
        if let start { guard (try? source.seek(to: start)) == true else { return nil } }
        let end = end?.resolved(start: source.start)
        while let event = source.next, end?.isPassed(by: event, number: source.number) != true {
            switch event.event {
            case .location(let location): return GPSDServer.device(location.extra.device)
            case .error(let error): if let device = error.device { return GPSDServer.device(device) }
            case .log: break
            }
            do throws(RecordingError) { try source.advance() } catch { return nil }
        }
        return nil
    }
}
