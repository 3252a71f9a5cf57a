extension RingHeader {
    private static let layoutOffset = 1152
    /// The longest pattern, in bytes.
    package static let patternLength = 2048 - layoutOffset - 2

    /// The format of the log's lines.
    package var layout: LineLayout {
        let precision = Int(base.load(fromByteOffset: Self.layoutOffset + 1, as: UInt8.self)) - 1
        let bytes = UnsafeRawBufferPointer(start: base + Self.layoutOffset + 2, count: Self.patternLength)
        let pattern = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return LineLayout(
            time: base.load(fromByteOffset: Self.layoutOffset, as: UInt8.self) == 1 ? .utc : .local,
            precision: LineOptions.Precision.allCases.indices.contains(precision)
                ? LineOptions.Precision.allCases[precision] : nil,
            pattern: pattern.isEmpty ? nil : pattern)
    }

    /// Stores which log the ring belongs to.
    func setLog(slot: Int, encoder: String, layout: LineLayout = LineLayout(), destination: String) {
        if layout != self.layout {
            let precision = layout.precision.flatMap { LineOptions.Precision.allCases.firstIndex(of: $0) } ?? -1
            base.storeBytes(of: layout.time == .utc ? 1 : 0, toByteOffset: Self.layoutOffset, as: UInt8.self)
            base.storeBytes(of: UInt8(precision + 1), toByteOffset: Self.layoutOffset + 1, as: UInt8.self)
            let field = UnsafeMutableRawBufferPointer(start: base + Self.layoutOffset + 2, count: Self.patternLength)
            field.initializeMemory(as: UInt8.self, repeating: 0)
            let pattern = Array((layout.pattern ?? "").utf8)
            // A truncated pattern would be a different one.
            if pattern.count <= Self.patternLength, !pattern.contains(0) { field.copyBytes(from: pattern) }
        }
        base.storeBytes(of: UInt8(truncatingIfNeeded: slot + 1), toByteOffset: Self.logSlotOffset, as: UInt8.self)
        setText(Self.encoderOffset, Self.encoderLength, encoder)
        setText(Self.destinationOffset, Self.destinationLength, destination)
    }

    /// Stores that no sink is known to write the log.
    func clearLogSlot() { base.storeBytes(of: 0, toByteOffset: Self.logSlotOffset, as: UInt8.self) }
}
