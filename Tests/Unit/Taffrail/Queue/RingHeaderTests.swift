import Synchronization
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// The sinks in a ring's header, whenever the program dies.
@Suite(.mayBlock) struct RingHeaderTests {
    private let memory: UnsafeMutableRawPointer
    private let header: RingHeader

    init() {
        memory = .allocate(byteCount: RingHeader.length, alignment: 4096)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: RingHeader.length)
        header = RingHeader(base: memory)
        header.initialize(
            capacity: 64 << 10, run: RingID(7), secret: 1, encoder: "text", destination: "app.log", start: 0)
    }

    @Test func `a sink that is attached under its name has that name all the time`() {
        defer { memory.deallocate() }
        let header = header
        header.setSink(0, name: "file:app.log", destination: 5)
        let isOver = Atomic<Bool>(false)
        let others = Locked<Set<String>>([])
        let reader = OwnThread {
            while !isOver.load(ordering: .acquiring) {
                let name = header.name(ofSlot: 0)
                if name != "file:app.log" { others.withLock { _ = $0.insert(name) } }
            }
        }
        for _ in 0..<100_000 { header.setSink(0, name: "file:app.log", destination: 5) }
        isOver.store(true, ordering: .releasing)
        reader.join()
        #expect(others.withLock { $0 } == [])
    }

    @Test func `a text is replaced by a shorter and by a longer one`() {
        defer { memory.deallocate() }
        for name in ["a rather long name of a sink", "short", "", "eight by", String(repeating: "x", count: 104)] {
            header.setSink(3, name: name, destination: 0)
            #expect(header.name(ofSlot: 3) == name)
        }
        #expect(header.name(ofSlot: 2) == "")
        #expect(header.name(ofSlot: 4) == "")
    }

    @Test func `a sink is found by its destination while its name is being replaced`() throws {
        defer { memory.deallocate() }
        let directory = TemporaryDirectory()
        let sink = try FileSink(FileOptions(path: directory.file("app.log")))
        header.setSink(2, name: "", destination: SinkNames.destinationID(of: sink))
        let match = SinkMatch([SinkState(FilteredSink(sink), name: sink.name)], in: header, directory: directory.path)
        #expect(match.slots == [2])
        #expect(match.isOurs)
    }
}
