import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Which process and thread logged a record, as lines by a pattern show it.
@Suite(.mayBlock) struct RecordOriginTests {
    private let directory = TemporaryDirectory()
    private static let pattern = "%{pid} %{thread} %{program} %{host} %{message}"

    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()

    @Test func `lines have the process, the thread, the program and the host of the call, also through processors`()
        throws
    {
        struct Shouter: Processor {
            mutating func process(_ record: inout LogRecord) -> Verdict {
                record.message += "!"
                return .keep
            }
        }
        let options = FileOptions(path: directory.file("app.log"), format: .pattern, pattern: Self.pattern)
        let pipeline = Pipeline(
            processors: [Shouter()], sinks: [try FileSink(options)], queue: QueueOptions(handleSignals: false))
        let thread = Locked("")
        OwnThread {
            var link = [UInt8](repeating: 0, count: 64)
            let count = link.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { readlink("/proc/thread-self", $0, bytes.count) } ?? 0
            }
            let path = String(decoding: link.prefix(max(0, count)), as: UTF8.self)
            thread.withLock { $0 = path.split(separator: "/").last.map(String.init) ?? "" }
            pipeline.logger.info("call")
            pipeline.logger.log(LogRecord(level: .info, message: "record"))
        }.join()
        #expect(pipeline.shutdown())
        let start = "\(getpid()) \(thread.withLock { $0 }) \(Environment.program) \(Self.host) "
        #expect(directory.lines("app.log") == [start + "call!", start + "record!"])
    }

    @Test func `lines that are recovered have those of the program that logged`() throws {
        let subject = try Program.subject(
            ["abort-pattern", directory.file("app.log"), Self.pattern], environment: ["SWIFT_BACKTRACE": "enable=no"])
        let pid = subject.pid
        #expect(subject.end() == .killed(SIGABRT))
        #expect(directory.rings.count == 1)
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.refused == [] && report.records > 0)
        // Its only thread has the number of the process.
        let start = "\(pid) \(pid) TaffrailTestSubject \(Self.host) line "
        #expect(directory.lines("app.log") == (1...1000).map { "\(start)\($0)" })
    }

    @Test func `a ring of the format before has no names`() throws {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: RingHeader.length, alignment: 16)
        defer { bytes.deallocate() }
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: RingHeader.length)
        bytes.storeBytes(of: 7, toByteOffset: RingTables.processID, as: UInt32.self)
        let origin = RingTables(bytes + RingHeader.length, siteLength: 0)
        #expect(origin.processID == 7 && origin.program.isEmpty && origin.host.isEmpty)
    }
}
