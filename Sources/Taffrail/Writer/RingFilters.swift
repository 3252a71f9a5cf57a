/// The filters of a ring's sinks, for a reader that shows what waits for a log: after the attributes in the space of the
/// ``ContextTable``, which earlier programs leave zero and do not read.
///
/// | offset | field |
/// |---|---|
/// | 0 | CRC32C u32 of what follows |
/// | 4 | length of the text u16 |
/// | 6 | lines: the slot, and `level NAME`, `logger NAME`, `event NAME`, or `and` before a further filter of that slot |
///
/// A filter that does not fit, or has a name with a line break, is left out: its sink then counts as unfiltered.
package enum RingFilters {
    private static let headLength = 6
    static let room = ContextTable.length - ContextTable.slotsLength

    /// Stores the filters of sinks in a mapped ring. A concurrent reader finds none.
    package static func store(_ filters: [(slot: Int, filter: SinkFilter)], in header: RingHeader) {
        var text: [UInt8] = []
        for (slot, filter) in filters where !filter.isEmpty && !filter.hasLineBreak {
            var lines = ""
            for (index, one) in filter.all.enumerated() {
                if index > 0 { lines += "\(slot) and\n" }
                if one.level != .trace { lines += "\(slot) level \(one.level.name)\n" }
                for name in one.loggers { lines += "\(slot) logger \(name)\n" }
                for name in one.events { lines += "\(slot) event \(name)\n" }
            }
            if text.count + lines.utf8.count <= room - headLength { text += lines.utf8 }
        }
        let base = header.contextTable + ContextTable.slotsLength
        base.storeBytes(of: 0, as: UInt32.self)
        base.storeBytes(of: UInt16(text.count), toByteOffset: 4, as: UInt16.self)
        UnsafeMutableRawBufferPointer(start: base + headLength, count: text.count).copyBytes(from: text)
        base.storeBytes(of: text.isEmpty ? 0 : checksum(base, length: text.count), as: UInt32.self)
    }

    /// Returns the filter of a slot, given the bytes in which ``store(_:in:)`` stored it; one that accepts everything
    /// if there is none.
    static func filter(ofSlot slot: Int, in bytes: [UInt8]) -> SinkFilter {
        guard bytes.count == room else { return SinkFilter() }
        let length = Int(bytes[4]) | Int(bytes[5]) << 8
        let isSound = bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, length > 0, length <= room - headLength else { return false }
            return base.loadUnaligned(as: UInt32.self) == checksum(base, length: length)
        }
        guard isSound else { return SinkFilter() }
        let text = String(decoding: bytes[headLength..<headLength + length], as: UTF8.self)
        // The outermost one is first.
        var filters = [SinkFilter()]
        let number = String(slot)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard words.count >= 2, words[0] == number else { continue }
            let value = words.count > 2 ? words[2] : ""
            let last = filters.count - 1
            switch words[1] {
            case "level": filters[last].level = Level(name: value) ?? filters[last].level
            case "logger": filters[last].loggers.append(value)
            case "event": filters[last].events.append(value)
            default: filters.append(SinkFilter())
            }
        }
        let inner = filters.removeLast()
        return filters.reversed().reduce(inner) { inner, filter in filter.with(inner) }
    }

    private static func checksum(_ base: UnsafeRawPointer, length: Int) -> UInt32 {
        Checksum.crc32c(UnsafeRawBufferPointer(start: base + 4, count: headLength - 4 + length))
    }
}

extension RingFile {
    /// Returns the filter of the sink in a slot, if the ring has it.
    package func filter(ofSlot slot: Int) -> SinkFilter {
        guard header.version >= 3 else { return SinkFilter() }
        let offset = RingHeader.length + ContextTable.slotsLength
        return RingFilters.filter(ofSlot: slot, in: bytes(RingFilters.room, at: offset))
    }
}
