#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail history push URL`.
struct HistoryPush: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Send points to a receiver, which stores each point once.",
        discussion: """
            The receiver is another machine's taffrail serve. Points that it already has are not stored again, so a \
            failed push can be repeated. Requires curl.

            Examples:
              taffrail history push https://ferry.lan:8787 --since yesterday --token-file ~/.config/taffrail/ferry.token
            """)
    @Argument(help: ArgumentHelp("The receiver: http(s)://HOST[:PORT].", valueName: "url"))
    var url: String

    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(
        help: ArgumentHelp(
            "A file with the token for the receiver (default: the environment variable TAFFRAIL_TOKEN).",
            valueName: "file"), completion: .file())
    var tokenFile: String?

    @Flag(help: "Include points that are left out of trips: jumps, drift and inaccurate ones.")
    var all = false

    func validate() throws {
        guard PointUpload.address(url) != nil else {
            throw ValidationError("the URL must be http(s)://HOST[:PORT], without a path")
        }
    }

    func run() throws {
        var query = try filter.query(store)
        query.includesExcluded = all
        let reader = try store.reader()
        var upload = try PointUpload(to: url, token: try token)
        // Also after a failure: the receiver has these points.
        defer { Self.report(upload) }
        do {
            try reader.forEach(query) { try upload.add($0) }
            try upload.finish()
        } catch let error as StoreError {
            throw ExitCode(error).reporting(error)
        }
        guard upload.refused == 0 else { throw ExitCode.dataError }
    }

    private static func report(_ upload: PointUpload) {
        print(CountText.text(upload.sent, "point") + " sent")
        for (count, what) in [(upload.refused, "did not accept"), (upload.truncated, "truncated")] where count > 0 {
            StandardStream.report("the receiver \(what) \(CountText.text(count, "point"))")
        }
    }

    /// The token, if any.
    private var token: String? {
        get throws {
            guard let tokenFile else { return Environment["TAFFRAIL_TOKEN"].flatMap { $0.isEmpty ? nil : $0 } }
            do throws(SystemError) {
                let bytes = try FileDescriptor(tokenFile, .read).read(4_096, at: 0)
                return String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
            } catch { throw ExitCode(reading: error).reporting(error) }
        }
    }
}
#endif
