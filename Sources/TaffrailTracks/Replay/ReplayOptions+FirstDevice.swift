internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording

extension ReplayOptions {
    /// The name for clients of gpsd of the first receiver to be replayed, for those that come before its first position;
    /// `nil` if the file cannot be read twice, or not at all.
    package var firstDevice: String? {
        if let device { return GPSDServer.device(device) }
        guard path != "-", (try? FileStatus.following(path).isRegular) == true,
            var source = try? ReplaySource(path: path, format: format)
        else { return nil }
        while let event = source.next {
            switch event.event {
            case .location(let location): return GPSDServer.device(location.extra.device)
            case .error(let error): if let device = error.device { return GPSDServer.device(device) }
            case .log: break
            }
            do throws(RecordingError) { try source.advance() } catch { return nil }
        }
        return GPSDServer.unnamedDevice
    }
}
