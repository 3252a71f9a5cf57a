import Taffrail
#if HTTP
import TaffrailAdaptivePinger
#endif
import TaffrailGeoRecorder
#if HTTP
import TaffrailHTTPRemote
#endif
#if Journald
import TaffrailJournald
#endif
#if Store
import TaffrailLocationStore
import TaffrailLogStore
import TaffrailStore
#endif
import TaffrailRecording

/// The sinks with some names, separated by commas, all in the directory of a log.
func makeSinks(_ names: String, _ options: FileOptions) throws -> sending [any Sink] {
    var sinks: [any Sink] = []
    let directory = options.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
        separator: "/")
    for name in names.split(separator: ",") {
        switch name {
        case "file": sinks.append(try FileSink(options))
        case "geo-recorder":
            var recording = RecordingOptions(directory: directory + "/drives")
            recording.includesLogs = true
            sinks.append(GeoRecorderSink(GeoRecorderOptions(recording)))
        #if Journald
        case "journald":
            let journal = JournaldOptions(socket: directory + "/journal")
            sinks.append(JournaldSink(journal, instance: PluginInstance(named: "journald", in: directory)))
        #endif
        #if Store
        case "log-store":
            var keep = LogRetention()
            keep.age = .days(1)
            sinks.append(LogStoreSink(LogStoreOptions(path: directory + "/logs.sqlite", keep: keep)))
        case "location-store":
            sinks.append(LocationStoreSink(LocationStoreOptions(path: directory + "/track.sqlite")))
        #endif
        #if HTTP
        case "http":
            // Nothing listens there.
            let collector = HTTPRemoteOptions(url: "http://127.0.0.1:1/v1/logs")
            sinks.append(HTTPRemoteSink(collector, instance: PluginInstance(named: "http", in: directory)))
        case "pinger":
            var pings = AdaptivePingerOptions()
            pings.endpoint = "http://127.0.0.1:1/ping"
            sinks.append(AdaptivePingerSink(pings, instance: PluginInstance(named: "pinger", in: directory)))
        #endif
        default: throw OptionError("sinks", "\(name) is not known")
        }
    }
    return sinks
}

extension PluginInstance {
    /// An instance whose state is in a directory.
    fileprivate init(named name: String, in directory: String) {
        self.init(name: name, logDirectory: directory, program: "subject")
    }
}
