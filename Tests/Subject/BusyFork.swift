import Glibc
import Taffrail

/// Forks a child while the writer thread is in a write of its sink for longer than `fork` waits for it. Both log.
struct BusyFork {
    private let pipeline: Pipeline
    private let format: BusyFormat

    init(_ options: FileOptions) throws {
        format = BusyFormat()
        pipeline = Pipeline(sinks: [try FileSink(options, format: format)], queue: QueueOptions(capacity: 256 << 10))
    }

    func run() {
        pipeline.logger.info("parent")
        format.awaitWrite()
        let pid = taffrailForkForTests()
        if pid == 0 {
            pipeline.logger.info("child")
            _exit(pipeline.flush(timeout: .seconds(60)) ? 0 : 8)
        }
        var status: CInt = 0
        waitpid(pid, &status, 0)
        format.endWrite()
        say("child \(status) shutdown \(pipeline.shutdown())")
    }
}

/// A line format that waits in the first process that uses it.
private struct BusyFormat: LineFormat {
    let name = "busy"
    private let process = getpid()
    private let begun: [CInt]
    private let mayEnd: [CInt]

    init() {
        func makePipe() -> [CInt] {
            var ends: [CInt] = [-1, -1]
            return pipe(&ends) == 0 ? ends : [-1, -1]
        }
        begun = makePipe()
        mayEnd = makePipe()
    }

    mutating func write(_ record: borrowing RecordView, to line: inout LineText) {
        if getpid() == process {
            pass(begun[1])
            wait(mayEnd[0])
        }
        record.withMessage { line.append($0) }
    }

    func awaitWrite() { wait(begun[0]) }
    func endWrite() { pass(mayEnd[1]) }

    private func pass(_ end: CInt) {
        var byte: UInt8 = 1
        _ = Glibc.write(end, &byte, 1)
    }

    private func wait(_ end: CInt) {
        var byte: UInt8 = 0
        _ = read(end, &byte, 1)
    }
}
