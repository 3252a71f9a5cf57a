internal import CTaffrail

// Writing a record's header and tail at an address; `RecordCodec` has the layout.

extension UnsafeMutableRawPointer {
    /// Copies text to where this points, with room for 32 bytes at least, moves behind it and returns its length. `nil`
    /// only with a count of 0.
    @inline(__always)
    mutating func put(_ bytes: UnsafeRawPointer?, _ count: Int) -> UInt16 {
        guard count > 0 else { return 0 }
        taffrail_copy_text(self, bytes.unsafelyUnwrapped, count)
        self += count
        return UInt16(truncatingIfNeeded: count)
    }

    /// Puts a trace at `tail`, which has room for 25 bytes, and marks the record at this address.
    func put(_ trace: TraceContext, at tail: inout UnsafeMutableRawPointer) {
        tail.storeBytes(of: trace.traceID.high, as: UInt64.self)
        tail.storeBytes(of: trace.traceID.low, toByteOffset: 8, as: UInt64.self)
        tail.storeBytes(of: trace.spanID.value, toByteOffset: 16, as: UInt64.self)
        tail += 24
        setRecordFlag(RecordCodec.flagTrace)
        guard !trace.flags.isEmpty else { return }
        tail.storeBytes(of: trace.flags.rawValue, as: UInt8.self)
        tail += 1
        setRecordFlag(RecordCodec.flagTraceFlags)
    }

    /// Sets a flag of the record at this address.
    func setRecordFlag(_ flag: UInt8) {
        storeBytes(of: load(fromByteOffset: 53, as: UInt8.self) | flag, toByteOffset: 53, as: UInt8.self)
    }

    /// Pads the record at this address, of `length` bytes with room for 16 more behind. What lies before
    /// ``RecordCodec/checkedFrom`` is whoever's that copies the record.
    ///
    /// - Returns: The record's length, a multiple of 16.
    @inline(__always)
    func padRecord(length: Int) -> Int {
        storeBytes(of: 0, toByteOffset: length, as: UInt64.self)
        storeBytes(of: 0, toByteOffset: length &+ 8, as: UInt64.self)
        // At least 64, because the header alone is 56.
        return (length &+ 15) & ~15
    }

    /// Writes a record's header from its lengths to the event's, in whole words; see ``RecordCodec``.
    ///
    /// - Parameter shorts: The lengths of the ambient attributes and the logger's name, the number of the call site or the
    ///   length of its file's name, and the number of the ambient attributes or the length of the function's name.
    @inline(__always)
    func putHead(
        message: Int, attributes: Int, shorts: UInt64, line: UInt32, level: Level, flags: UInt8, event: UInt16
    ) {
        let lengths =
            UInt64(UInt32(truncatingIfNeeded: message)) | UInt64(UInt32(truncatingIfNeeded: attributes)) &<< 32
        let rest = UInt64(line) | UInt64(level.rawValue) &<< 32 | UInt64(flags) &<< 40 | UInt64(event) &<< 48
        storeBytes(of: lengths.littleEndian, toByteOffset: 32, as: UInt64.self)
        storeBytes(of: shorts.littleEndian, toByteOffset: 40, as: UInt64.self)
        storeBytes(of: rest.littleEndian, toByteOffset: 48, as: UInt64.self)
    }
}
