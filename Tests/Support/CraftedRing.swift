// Uses declarations of the core that are visible to tests only.
#if TAFFRAIL_TESTABLE
internal import Glibc

@testable package import Taffrail

/// A hand-made ring file, as left by a killed run.
package struct CraftedRing {
    package let run: RingID
    package let secret: UInt64 = 0x5EC2E7
    package let capacity: Int
    package let start: UInt64
    /// The ring format.
    package let version: UInt32
    /// The position of the next record.
    package private(set) var position: UInt64
    /// The header, the tables and the data.
    package var bytes: [UInt8]
    private var contexts: [[LogValueEntry]] = []
    private var sites: [[String]: UInt16] = [:]
    private var siteEnd = CallSiteTable.unit
    /// The appended records and their positions.
    package private(set) var records: [(record: LogRecord, position: UInt64, length: Int)] = []

    package init(
        capacity: Int = 16 << 10, run: RingID = RingID(0xF11E), start: UInt64 = 0, sinks: [String] = ["memory"],
        destination: String = "app.log", encoder: String = "text", version: UInt32 = RingHeader.version
    ) {
        self.run = run
        self.version = version
        self.capacity = capacity
        self.start = start
        position = start
        bytes = [UInt8](repeating: 0, count: RingHeader.dataOffset(capacity: capacity, version: version) + capacity)
        let secret = secret
        let header = UnsafeMutableRawPointer.allocate(byteCount: RingHeader.length, alignment: 16)
        defer { header.deallocate() }
        header.initializeMemory(as: UInt8.self, repeating: 0, count: RingHeader.length)
        let fields = RingHeader(base: header)
        fields.initialize(
            capacity: capacity, run: run, secret: secret, encoder: encoder, destination: destination, start: start)
        for (slot, name) in sinks.enumerated() {
            fields.setName(ofSlot: slot, name)
            fields.setPosition(ofSlot: slot, start)
        }
        if version != RingHeader.version {
            header.storeBytes(of: version, toByteOffset: 8, as: UInt32.self)
            header.storeBytes(of: UInt32(RingHeader.length), toByteOffset: 12, as: UInt32.self)
        }
        if version == 2 { (header + 768).initializeMemory(as: UInt8.self, repeating: 0, count: 256) }
        bytes.replaceSubrange(
            0..<RingHeader.length, with: UnsafeRawBufferPointer(start: header, count: RingHeader.length))
    }

    /// Adds a record with the next number, if there is space for it.
    ///
    /// - Parameters:
    ///   - isAtSite: Whether the names of its file and function go into the table of call sites.
    ///   - ambient: Attributes that go into the table of ambient attributes, for a record at a call site.
    package mutating func append(
        _ record: LogRecord, isNumbered: Bool = true, isAtSite: Bool = false, ambient: [LogValueEntry] = [],
        patching patch: (UnsafeMutableRawPointer) -> Void = { _ in }
    ) {
        var numbered = record
        numbered.attributes += ambient
        numbered.run = run
        numbered.sequence = UInt64(records.count + 1)
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return }
        defer { scratch.end(frame) }
        var encoded = numbered
        encoded.attributes = record.attributes
        if isAtSite { encoded.source = nil }
        let length = RecordEncoder.encode(encoded, at: frame.start, in: scratch)
        guard position + UInt64(length) <= start + UInt64(capacity) else { return }
        let base = scratch.pointer(at: frame.start)
        if isAtSite, let source = record.source {
            base.storeBytes(of: number(of: source), toByteOffset: 44, as: UInt16.self)
            base.storeBytes(of: source.line, toByteOffset: 48, as: UInt32.self)
            base.setRecordFlag(RecordLayout.flagSite)
            if !ambient.isEmpty {
                base.storeBytes(of: number(of: ambient), toByteOffset: 46, as: UInt16.self)
                base.setRecordFlag(RecordLayout.flagContext)
            }
        }
        patch(base)
        if isNumbered { base.storeBytes(of: numbered.sequence, toByteOffset: 8, as: UInt64.self) }
        put(UnsafeMutableRawBufferPointer(start: base, count: length))
        records.append((numbered, position, length))
        position += UInt64(length)
    }

    /// The number of ambient attributes in the table, which has space for them.
    private mutating func number(of ambient: [LogValueEntry]) -> UInt16 {
        let slot = contexts.firstIndex(of: ambient) ?? contexts.count
        let number = ContextTable.number(slot: slot, generation: 0xABC123)
        guard slot == contexts.count else { return number }
        contexts.append(ambient)
        let encoded = LogAttributes(ambient.map { (key: $0.key, value: $0.value) }).withBytes { [UInt8]($0) }
        bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            ContextTable.write(encoded, slot: slot, generation: 0xABC123, to: RingHeader(base: base).contextTable)
        }
        return number
    }

    /// The number of a call site in the table, which has space for it.
    private mutating func number(of source: LogRecord.SourceLocation) -> UInt16 {
        let names = [source.file, source.function]
        if let number = sites[names] { return number }
        let number = UInt16(siteEnd / CallSiteTable.unit)
        let size = CallSiteTable.size(fileLength: names[0].utf8.count, functionLength: names[1].utf8.count)
        bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            Array(names[0].utf8).withUnsafeBytes { file in
                Array(names[1].utf8).withUnsafeBytes { function in
                    CallSiteTable.write(
                        file: file, function: function,
                        to: base + RingHeader.siteOffset(version: version) + siteEnd)
                }
            }
        }
        siteEnd += size
        sites[names] = number
        return number
    }

    /// Adds as many records as there is space for.
    ///
    /// - Parameter ambient: The ambient attributes of those at call sites.
    package mutating func fill(
        atSites isAtSite: (Int) -> Bool, ambient: (Int) -> [LogValueEntry] = { _ in [] },
        _ make: (Int) -> LogRecord
    ) {
        var count = -1
        while records.count > count {
            count = records.count
            let isAtSite = isAtSite(count)
            append(make(count), isAtSite: isAtSite, ambient: isAtSite && version >= 3 ? ambient(count) : [])
        }
    }

    /// Puts a record's bytes at the position, with checksum and first word.
    private mutating func put(_ record: UnsafeMutableRawBufferPointer) {
        guard let base = record.baseAddress else { return }
        let timestamp = base.load(fromByteOffset: 24, as: UInt64.self)
        base.storeBytes(
            of: Checksum.lanes(UnsafeRawBufferPointer(rebasing: record[RecordLayout.checkedFrom...]), seed: timestamp),
            toByteOffset: 16, as: UInt64.self)
        base.storeBytes(of: commitWord(position, length: record.count), as: UInt64.self)
        let place = place(position)
        let count = min(record.count, bytes.count - place)
        let dataStart = self.place(0)
        bytes.withUnsafeMutableBytes { bytes in
            guard let target = bytes.baseAddress else { return }
            (target + place).copyMemory(from: base, byteCount: count)
            // The rest is at the start of the data.
            (target + dataStart).copyMemory(from: base + count, byteCount: record.count - count)
        }
    }

    /// The first word of a record of a given length at a position.
    package func commitWord(_ position: UInt64, length: Int) -> UInt64 {
        RecordLayout.commitWord(position: position, units: length / RecordLayout.unit, secret: secret)
    }

    package mutating func store(_ word: UInt64, at position: UInt64) {
        let place = place(position)
        // Positions are multiples of 16: a word does not wrap around.
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: word, toByteOffset: place, as: UInt64.self) }
    }

    /// The file offset of a position.
    package func place(_ position: UInt64) -> Int {
        RingHeader.dataOffset(capacity: capacity, version: version) + Int(position & UInt64(capacity - 1))
    }

    /// Changes the header.
    package mutating func withHeader(_ body: (RingHeader) -> Void) {
        bytes.withUnsafeMutableBytes { if let base = $0.baseAddress { body(RingHeader(base: base)) } }
    }

    /// Writes the file, which appears complete.
    package func write(to path: String) {
        let part = path + ".part"
        do {
            let file = try FileDescriptor(part, [.write, .create, .truncate], mode: 0o666)
            try file.write(bytes)
            rename(part, path)
        } catch {}
    }
}

extension CraftedRing {
    /// Adds a record with these attribute bytes, valid or not.
    package mutating func append(forgedAttributes attributes: [UInt8]) {
        // A message of that length reserves the space; then the lengths are changed.
        let message = "forged"
        append(
            LogRecord(level: .info, message: message + String(repeating: "?", count: attributes.count)),
            patching: { base in
                let payload = base + RecordLayout.headerSize
                (payload + message.utf8.count).copyMemory(from: attributes, byteCount: attributes.count)
                base.storeBytes(of: UInt32(message.utf8.count), toByteOffset: 32, as: UInt32.self)
                base.storeBytes(of: UInt32(attributes.count), toByteOffset: 36, as: UInt32.self)
            })
    }
}
#endif
