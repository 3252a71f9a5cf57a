internal import CTaffrail

/// Writes the part of a record that follows its attributes into a scratch, in the order of ``RecordLayout``, and then
/// its header.
///
/// The message and the attributes have already been written. The caller has made room for the strings, and for
/// ``RecordLayout/longestEnd`` and 32 more bytes.
struct RecordEncoder {
    let record: UnsafeMutableRawPointer
    /// The address of the next byte.
    var end: UnsafeMutableRawPointer
    private var flags = RecordLayout.flagSite
    // The header's word of short lengths and numbers.
    private var shorts: UInt64
    private var eventLength: UInt16 = 0

    /// - Parameters:
    ///   - end: The end of the record's attributes.
    ///   - site: The number of its call site; 0 if ``putSource(file:_:function:_:)`` follows.
    @inline(__always)
    init(_ record: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer, site: UInt16 = 0) {
        self.record = record
        self.end = end
        shorts = UInt64(site) &<< 32
    }

    /// Includes the ambient attributes that have been written at the end.
    @inline(__always)
    mutating func takeContext(length: Int) {
        end += length
        shorts |= UInt64(UInt16(truncatingIfNeeded: length))
    }

    /// Sets the number of the ambient attributes, the lowest 16 bits of a word, in a record with a numbered call site.
    @inline(__always)
    mutating func setContext(number: UInt64) {
        shorts |= number &<< 48
        flags |= RecordLayout.flagContext
    }

    /// Writes the name of the logger.
    @inline(__always)
    mutating func putLogger(_ name: UnsafePointer<UInt8>?, _ count: Int) {
        shorts |= UInt64(end.put(name, count)) &<< 16
    }

    /// Writes the names of file and function, for a record without a numbered call site.
    @inline(__always)
    mutating func putSource(
        file: UnsafePointer<UInt8>?, _ fileLength: Int, function: UnsafePointer<UInt8>?, _ functionLength: Int
    ) {
        shorts |= UInt64(end.put(file, fileLength)) &<< 32
        shorts |= UInt64(end.put(function, functionLength)) &<< 48
        flags &= ~RecordLayout.flagSite
    }

    /// Writes the name of the event.
    @inline(__always)
    mutating func putEvent(_ name: UnsafePointer<UInt8>?, _ count: Int) { eventLength = end.put(name, count) }

    /// Writes the kernel's id of the logging thread.
    @inline(__always)
    mutating func putThread(_ id: UInt32) {
        end.storeBytes(of: id, as: UInt32.self)
        end += RecordLayout.threadLength
        flags |= RecordLayout.flagThread
    }

    /// Writes the header up to the length of the event, in whole words: a word that is read again at once should come
    /// from a single store. Only a trace may follow.
    @inline(__always)
    func putHeader(message: Int, attributes: Int, line: UInt32, level: Level) {
        let lengths =
            UInt64(UInt32(truncatingIfNeeded: message)) | UInt64(UInt32(truncatingIfNeeded: attributes)) &<< 32
        let rest = UInt64(line) | UInt64(level.rawValue) &<< 32 | UInt64(flags) &<< 40 | UInt64(eventLength) &<< 48
        record.storeBytes(of: lengths.littleEndian, toByteOffset: RecordLayout.messageLength, as: UInt64.self)
        record.storeBytes(of: shorts.littleEndian, toByteOffset: RecordLayout.contextLength, as: UInt64.self)
        record.storeBytes(of: rest.littleEndian, toByteOffset: RecordLayout.line, as: UInt64.self)
    }

    /// Encodes a record at `start`, where the scratch has room for its header, and returns its length.
    ///
    /// - Parameter thread: The kernel's id of the logging thread; 0 if unknown.
    static func encode(_ record: LogRecord, thread: UInt32 = 0, at start: Int, in scratch: Scratch) -> Int {
        scratch.append(record.message)
        let messageEnd = scratch.cursor
        AttributeCodec.append(record.attributes, to: scratch)
        return encodeRest(of: record, messageEnd: messageEnd, thread: thread, at: start, in: scratch)
    }

    /// Encodes what follows the message and the attributes, which end at the scratch's cursor.
    static func encodeRest(
        of record: LogRecord, messageEnd: Int, thread: UInt32, at start: Int, in scratch: Scratch
    ) -> Int {
        let attributesEnd = scratch.cursor
        var names = [record.logger, record.source?.file ?? "", record.source?.function ?? "", record.eventName ?? ""]
        if !scratch.ensure(names.reduce(64) { $0 + $1.utf8.count }) { names = ["", "", "", ""] }
        let base = scratch.pointer(at: start)
        for offset in [RecordLayout.commit, RecordLayout.sequence, RecordLayout.checksum] {
            base.storeBytes(of: 0, toByteOffset: offset, as: UInt64.self)
        }
        base.storeBytes(of: record.timestamp.nanoseconds, toByteOffset: RecordLayout.timestamp, as: Int64.self)
        var encoder = RecordEncoder(base, end: scratch.pointer(at: attributesEnd))
        encoder.put(names)
        if thread != 0 { encoder.putThread(thread) }
        encoder.putHeader(
            message: messageEnd - start - RecordLayout.headerSize, attributes: attributesEnd - messageEnd,
            line: record.source?.line ?? 0, level: record.level)
        if let trace = record.trace { base.put(trace, at: &encoder.end) }
        return base.padRecord(length: encoder.end - base)
    }

    /// Writes the names of logger, file, function and event, at most 65,535 bytes of each.
    private mutating func put(_ names: [String]) {
        for index in names.indices {
            var name = names[index]
            let length = name.withUTF8 { utf8 in
                let count = UTF8Text.boundary(in: UnsafeRawBufferPointer(utf8), atMost: RecordLayout.shortLimit)
                return end.put(utf8.baseAddress, count)
            }
            // That of the event is in another word.
            if index < 3 { shorts |= UInt64(length) &<< (16 * UInt64(index + 1)) } else { eventLength = length }
        }
        flags &= ~RecordLayout.flagSite
    }
}

extension UnsafeMutableRawPointer {
    /// Copies bytes to the current address, which has at least 32 bytes of room, advances it and returns the length.
    /// `nil` is allowed only with a count of 0.
    @inline(__always)
    mutating func put(_ bytes: UnsafeRawPointer?, _ count: Int) -> UInt16 {
        guard count > 0 else { return 0 }
        taffrail_copy_text(self, bytes.unsafelyUnwrapped, count)
        self += count
        return UInt16(truncatingIfNeeded: count)
    }

    /// Writes a trace to `tail`, which has room for 25 bytes, and flags the record at this address.
    func put(_ trace: TraceContext, at tail: inout UnsafeMutableRawPointer) {
        tail.storeBytes(of: trace.traceID.high, as: UInt64.self)
        tail.storeBytes(of: trace.traceID.low, toByteOffset: RecordLayout.traceLow, as: UInt64.self)
        tail.storeBytes(of: trace.spanID.value, toByteOffset: RecordLayout.spanID, as: UInt64.self)
        tail += RecordLayout.traceLength
        setRecordFlag(RecordLayout.flagTrace)
        guard !trace.flags.isEmpty else { return }
        tail.storeBytes(of: trace.flags.rawValue, as: UInt8.self)
        tail += 1
        setRecordFlag(RecordLayout.flagTraceFlags)
    }

    /// Sets the lengths of the message and the attributes of the record at this address.
    func setRecordLengths(message: Int, attributes: Int) {
        for (offset, length) in [(RecordLayout.messageLength, message), (RecordLayout.attributesLength, attributes)] {
            storeBytes(of: UInt32(truncatingIfNeeded: length), toByteOffset: offset, as: UInt32.self)
        }
    }

    /// Sets a flag of the record at this address.
    func setRecordFlag(_ flag: UInt8) {
        let flags = load(fromByteOffset: RecordLayout.flags, as: UInt8.self)
        storeBytes(of: flags | flag, toByteOffset: RecordLayout.flags, as: UInt8.self)
    }

    /// Pads the record of `length` bytes at this address; 16 more bytes of room must follow. The fields before
    /// ``RecordLayout/checkedFrom`` are written by the code that copies the record.
    ///
    /// - Returns: The record's length, a multiple of 16.
    @inline(__always)
    func padRecord(length: Int) -> Int {
        storeBytes(of: 0, toByteOffset: length, as: UInt64.self)
        storeBytes(of: 0, toByteOffset: length &+ 8, as: UInt64.self)
        // At least 64, because the header alone is 56.
        return (length &+ 15) & ~15
    }
}
