import Taffrail
import TaffrailMemory
import Testing

@Suite struct MemoryTests {
    private func write(_ messages: [String], to sink: MemorySink) throws {
        var buffer = RecordBuffer()
        for message in messages { buffer.append(LogRecord(level: .info, message: message)) }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
    }

    @Test func `the last records are kept, the oldest first`() throws {
        let sink = MemorySink(MemoryOptions(capacity: 3))
        try write(["a", "b"], to: sink)
        #expect(sink.records.map(\.message) == ["a", "b"])
        try write(["c", "d", "e", "f", "g"], to: sink)
        #expect(sink.records.map(\.message) == ["e", "f", "g"])
        sink.clear()
        try write(["h"], to: sink)
        #expect(sink.records.map(\.message) == ["h"])
    }

    @Test func `an instance is found by its name as long as it lives`() throws {
        do {
            let sink = MemorySink(name: "bridge")
            #expect(MemorySink.named("bridge") === sink)
            try write(["a"], to: sink)
        }
        #expect(MemorySink.named("bridge") == nil)
    }
}
