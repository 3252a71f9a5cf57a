public import CTaffrail

/// The scratch memory of a thread: a log call is assembled here and then copied into the queue in one piece.
///
/// It works as a stack. A log call saves the cursor, writes after it and restores it at the end; user code that runs
/// inside an interpolation may itself log, after the bytes that are already there. All locations are offsets, because
/// growing moves the memory. Freed when the thread ends.
@usableFromInline
struct Scratch {
    @usableFromInline
    let state: UnsafeMutablePointer<taffrail_scratch>

    @inlinable
    init(state: UnsafeMutablePointer<taffrail_scratch>) { self.state = state }

    /// The limit of one thread's scratch, in bytes; longer strings are cut and the record is marked as truncated.
    static let limit: UInt32 = 256 << 20

    /// The limit for bytes that interpolations abandoned by an error have left; beyond it, the next log call discards
    /// them.
    private static let strayLimit: UInt32 = 1 << 20

    /// The scratch of the calling thread.
    @inlinable
    @inline(__always)
    static var current: Scratch { Scratch(state: taffrail_scratch_of_this_thread()) }

    /// The offset of the next byte.
    @inlinable
    var cursor: Int {
        @inline(__always) get { Int(truncatingIfNeeded: state.pointee.cursor) }
        nonmutating set { state.pointee.cursor = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The kernel's id of the calling thread, set by its first log call.
    var threadID: UInt32 { @inline(__always) get { state.pointee.thread } }

    /// Whether a log call of this thread is in progress.
    @inlinable
    var isInCall: Bool { @inline(__always) get { state.pointee.depth > 0 } }

    /// Starts a log call: returns the offset of its record, with the header's room already reserved.
    ///
    /// - Returns: `nil` when out of memory.
    @inline(__always)
    func begin() -> Frame? {
        let saved = state.pointee.cursor
        let start = (saved &+ 15) & ~15
        let needed = start &+ UInt32(RecordLayout.headerSize)
        guard needed <= state.pointee.capacity else { return beginSlowly() }
        state.pointee.cursor = needed
        state.pointee.depth &+= 1
        return Frame(saved: saved, start: Int(truncatingIfNeeded: start))
    }

    /// Starts a log call after checking for abandoned bytes, if the scratch has reached the limit for them, and making
    /// room.
    @inline(never)
    private func beginSlowly() -> Frame? {
        if !isInCall && state.pointee.cursor > Self.strayLimit { state.pointee.cursor = 0 }
        guard ensure(RecordLayout.headerSize + RecordLayout.alignment) else { return nil }
        return begin()
    }

    /// Ends a log call and frees everything after its start.
    @inline(__always)
    func end(_ frame: Frame) {
        state.pointee.depth &-= 1
        state.pointee.cursor = frame.saved
    }

    /// The memory of one log call.
    struct Frame {
        fileprivate let saved: UInt32
        let start: Int
    }

    /// Returns the memory at an offset below the cursor.
    @inline(__always)
    func pointer(at offset: Int) -> UnsafeMutableRawPointer {
        // `begin` and `append` have allocated the memory, so `base` exists for every offset.
        UnsafeMutableRawPointer(state.pointee.base.unsafelyUnwrapped) + offset
    }

    /// Reserves `count` bytes at the cursor and advances it; `nil` when out of memory.
    @inline(__always)
    func append(_ count: Int) -> UnsafeMutableRawPointer? {
        let offset = state.pointee.cursor
        guard count >= 0, count <= Int(Self.limit) - Int(offset) else { return nil }
        let needed = offset + UInt32(truncatingIfNeeded: count)
        if needed > state.pointee.capacity && taffrail_scratch_grow(state, needed) != 0 { return nil }
        state.pointee.cursor = needed
        return UnsafeMutableRawPointer(state.pointee.base.unsafelyUnwrapped) + Int(offset)
    }

    /// Appends bytes, or nothing if not all of them fit.
    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 0, let source = bytes.baseAddress, let room = append(bytes.count) else { return }
        room.copyMemory(from: source, byteCount: bytes.count)
    }

    /// Appends an array's bytes, or nothing if not all of them fit.
    func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Makes room for `count` bytes after the cursor, which does not move. Returns `false` when out of memory.
    @inline(__always)
    func ensure(_ count: Int) -> Bool {
        let needed = state.pointee.cursor &+ UInt32(truncatingIfNeeded: count)
        return needed <= state.pointee.capacity || taffrail_scratch_grow(state, needed) == 0
    }

    /// Writes a constant's bytes at an offset, moves the cursor to their end and returns it. If not all fit, writes a
    /// prefix that ends at a character boundary.
    @inlinable
    @inline(__always)
    func put(_ bytes: UnsafePointer<UInt8>, _ count: Int, at offset: Int) -> Int {
        let end = offset &+ count
        // Less, not equal: a thread that has not logged before has a capacity of 0, and no memory.
        guard end < Int(truncatingIfNeeded: state.pointee.capacity) else { return putSlowly(bytes, count, at: offset) }
        taffrail_copy_short(state.pointee.base.unsafelyUnwrapped + offset, bytes, count)
        state.pointee.cursor = UInt32(truncatingIfNeeded: end)
        return end
    }

    /// Writes a string's UTF-8 at an offset, moves the cursor to its end and returns it. Not inlined: the call is
    /// cheaper than the code it would add to the caller.
    @inline(never)
    @usableFromInline
    func put(_ text: consuming String, at offset: Int) -> Int {
        text.withUTF8 { utf8 in
            guard let bytes = utf8.baseAddress else { return offset }
            let end = offset &+ utf8.count
            guard end < Int(truncatingIfNeeded: state.pointee.capacity) else {
                return putSlowly(bytes, utf8.count, at: offset)
            }
            taffrail_copy_text(state.pointee.base.unsafelyUnwrapped + offset, bytes, utf8.count)
            state.pointee.cursor = UInt32(truncatingIfNeeded: end)
            return end
        }
    }

    @inline(never)
    @usableFromInline
    func putSlowly(_ bytes: UnsafePointer<UInt8>, _ count: Int, at offset: Int) -> Int {
        cursor = offset
        append(text: UnsafeRawBufferPointer(start: bytes, count: count))
        return cursor
    }

    /// Appends a string's UTF-8; if not all of it fits, a prefix that ends at a character boundary.
    @inline(__always)
    func append(_ string: String) {
        var string = string
        string.withUTF8 { append(text: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a string; if not all of it fits, a prefix that ends at a character boundary.
    @inline(__always)
    func append(text: UnsafeRawBufferPointer) {
        let room = Int(Self.limit) - cursor
        append(
            text.count <= room
                ? text : UnsafeRawBufferPointer(rebasing: text.prefix(UTF8Text.boundary(in: text, atMost: room))))
    }

    /// Appends a constant's UTF-8.
    @inline(__always)
    func append(_ constant: StaticString) {
        if constant.hasPointerRepresentation {
            append(UnsafeRawBufferPointer(start: constant.utf8Start, count: constant.utf8CodeUnitCount))
        } else {
            append("\(constant)")
        }
    }

    /// Writes an integer in decimal at an offset, moves the cursor to its end and returns it.
    @inline(never)
    @usableFromInline
    func put(decimal value: Int64, at offset: Int) -> Int {
        guard UInt64(bitPattern: value) < 100_000_000, offset &+ Decimal.longest <= Int(state.pointee.capacity) else {
            return putSlowly(decimal: value, at: offset)
        }
        let room = UnsafeMutableRawPointer(state.pointee.base.unsafelyUnwrapped) + offset
        let end = offset &+ Decimal.writeUpToEight(UInt64(bitPattern: value), to: room)
        state.pointee.cursor = UInt32(truncatingIfNeeded: end)
        return end
    }

    @inline(never)
    private func putSlowly(decimal value: Int64, at offset: Int) -> Int {
        cursor = offset
        guard ensure(Decimal.longest) else { return offset }
        let room = UnsafeMutableRawPointer(state.pointee.base.unsafelyUnwrapped) + offset
        if value < 0 { room.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self) }
        let sign = value < 0 ? 1 : 0
        cursor = offset &+ sign &+ Decimal.write(value.magnitude, to: room + sign)
        return cursor
    }

    /// Returns a copy of the bytes from an offset to the cursor.
    func bytes(from start: Int) -> [UInt8] {
        guard cursor > start else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: pointer(at: start), count: cursor - start))
    }
}
