#if HTTP
import Foundation
import TaffrailTestSupport
import TaffrailTesting

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// A sink in a folder of its own, and a server.
final class HTTPTrial {
    let folder: TemporaryDirectory
    let server: FaultServer
    private(set) var sink: HTTPRemoteSink
    private var options: HTTPRemoteOptions
    /// The number of the next record.
    private(set) var next = 1
    static let run = RingID(0xABCD)

    init(_ change: (inout HTTPRemoteOptions) -> Void = { _ in }) throws {
        folder = TemporaryDirectory()
        server = try FaultServer()
        var options = HTTPRemoteOptions(url: server.url)
        options.encoding = .ndjson
        options.delay = .zero
        options.drain = .zero
        options.longestRetry = .milliseconds(20)
        change(&options)
        self.options = options
        sink = Self.sink(options, folder)
    }

    deinit { try? sink.close() }

    private static func sink(_ options: HTTPRemoteOptions, _ folder: TemporaryDirectory) -> HTTPRemoteSink {
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "ferry"))
        guard let state = sink.stateDirectory else { return sink }
        sink.attach(
            SinkBook(sink: "http", ledgers: [LedgerFile(directory: state)], statusDirectory: state))
        return sink
    }

    /// Closes the sink and creates another one, as the next run does.
    func restart(_ change: (inout HTTPRemoteOptions) -> Void = { _ in }) throws {
        try sink.close()
        change(&options)
        sink = Self.sink(options, folder)
    }

    var spool: String { sink.destinations[0] }

    static func record(_ number: Int) -> LogRecord {
        LogRecord(
            timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(number)), sequence: UInt64(number),
            run: run, level: .info, message: "record \(number)")
    }

    /// Writes a batch of further records.
    func write(_ count: Int) throws { try write((next..<next + count).map(Self.record)) }

    /// Writes a batch.
    func write(_ records: [LogRecord]) throws {
        var buffer = RecordBuffer(run: Self.run, start: UInt64(next) << 16)
        for record in records { buffer.append(record) }
        next += records.count
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
    }

    /// The numbers in the requests that satisfy a condition, in order.
    func numbers(_ isIncluded: (FaultServer.Request) -> Bool = { _ in true }) -> [Int] {
        server.requests.filter(isIncluded).flatMap { $0.lines.compactMap { $0["seq"] as? Int } }
    }

    /// What the ledger has.
    var drops: [Ledger.Drop] {
        let entries = (try? LedgerFile(directory: folder.file(".taffrail")).entries()) ?? []
        return entries.compactMap { if case .drop(let drop)? = $0 { drop } else { nil } }
    }

    /// The last number that was written.
    var last: Int { next - 1 }
}
#endif
