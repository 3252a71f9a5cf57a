#if HTTP
import Taffrail
import TaffrailHTTPRemote

/// A pipeline with a log file and a spool `http.spool` beside it, from which lines of JSON are sent to an address.
func httpPipeline(_ options: FileOptions, url: String) throws -> Pipeline {
    let directory = options.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
        separator: "/")
    var http = HTTPRemoteOptions(url: url)
    http.encoding = .ndjson
    http.delay = .zero
    http.drain = .seconds(30)
    // A test that holds an answer back decides when it ends.
    http.timeout = .seconds(600)
    http.batchRecords = 50
    return Pipeline(
        sinks: [
            try FileSink(options),
            HTTPRemoteSink(http, instance: PluginInstance(name: "http", logDirectory: directory, program: "subject")),
        ], queue: QueueOptions(capacity: 256 << 10))
}
#endif
