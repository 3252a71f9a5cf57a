public import CTaffrail

/// This thread's scratch: the pieces of a log call are written here and then copied into the queue at once.
///
/// It works as a stack. A log call saves the cursor, writes behind it and restores it at the end; user code that
/// runs inside an interpolation may itself log and finds the cursor behind what is already there. All places are
/// offsets, because growing moves the memory. It is freed when the thread ends.
@usableFromInline
struct Scratch {
    @usableFromInline
    let state: UnsafeMutablePointer<taffrail_scratch>

    @inlinable
    init(state: UnsafeMutablePointer<taffrail_scratch>) { self.state = state }

    /// What one thread may keep in its scratch, in bytes; text beyond is cut and the record marked.
    static let limit: UInt32 = 256 << 20

    /// What may lie around outside any log call (an interpolation that was left by an error) before it is dropped.
    private static let strayLimit: UInt32 = 1 << 20

    /// The scratch of the calling thread.
    @inlinable
    @inline(__always)
    static var current: Scratch { Scratch(state: taffrail_scratch_of_this_thread()) }

    /// The offset at which the next byte goes.
    @inlinable
    var cursor: Int {
        @inline(__always) get { Int(truncatingIfNeeded: state.pointee.cursor) }
        nonmutating set { state.pointee.cursor = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The kernel's id of the calling thread, once a log call is under way.
    var threadID: UInt32 { @inline(__always) get { state.pointee.thread } }

    /// Whether a log call of this thread is under way.
    @inlinable
    var isInCall: Bool { @inline(__always) get { state.pointee.depth > 0 } }

    /// Starts a log call: returns the offset of its record, with the header's room already taken.
    ///
    /// - Returns: `nil` when there is no memory.
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

    /// Where the scratch is full, which is when strays are looked for.
    @inline(never)
    private func beginSlowly() -> Frame? {
        if !isInCall && state.pointee.cursor > Self.strayLimit { state.pointee.cursor = 0 }
        guard ensure(RecordLayout.headerSize + RecordLayout.alignment) else { return nil }
        return begin()
    }

    /// Ends a log call: everything behind its start is free again.
    @inline(__always)
    func end(_ frame: Frame) {
        state.pointee.depth &-= 1
        state.pointee.cursor = frame.saved
    }

    /// One log call's place.
    struct Frame {
        fileprivate let saved: UInt32
        let start: Int
    }

    /// The memory at an offset below the cursor.
    @inline(__always)
    func pointer(at offset: Int) -> UnsafeMutableRawPointer {
        // `begin` and `append` have made the memory, so `base` is there wherever an offset is.
        UnsafeMutableRawPointer(state.pointee.base.unsafelyUnwrapped) + offset
    }

    /// Room for `count` more bytes at the cursor, which moves behind them; `nil` when there is no memory.
    @inline(__always)
    func append(_ count: Int) -> UnsafeMutableRawPointer? {
        let offset = state.pointee.cursor
        guard count >= 0, count <= Int(Self.limit) - Int(offset) else { return nil }
        let needed = offset + UInt32(truncatingIfNeeded: count)
        if needed > state.pointee.capacity && taffrail_scratch_grow(state, needed) != 0 { return nil }
        state.pointee.cursor = needed
        return UnsafeMutableRawPointer(state.pointee.base.unsafelyUnwrapped) + Int(offset)
    }

    /// Appends bytes; what does not fit any more is left out whole.
    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 0, let source = bytes.baseAddress, let room = append(bytes.count) else { return }
        room.copyMemory(from: source, byteCount: bytes.count)
    }

    /// Appends an array's bytes; what does not fit any more is left out whole.
    func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Makes room for `count` bytes behind the cursor, which stays where it is. `false`: there is no memory.
    @inline(__always)
    func ensure(_ count: Int) -> Bool {
        let needed = state.pointee.cursor &+ UInt32(truncatingIfNeeded: count)
        return needed <= state.pointee.capacity || taffrail_scratch_grow(state, needed) == 0
    }

    /// Puts a constant's bytes at an offset, moves the cursor behind them and returns it. Where not all fit: a part that ends
    /// between two characters.
    @inlinable
    @inline(__always)
    func put(_ bytes: UnsafePointer<UInt8>, _ count: Int, at offset: Int) -> Int {
        let end = offset &+ count
        guard end <= Int(truncatingIfNeeded: state.pointee.capacity) else { return putSlowly(bytes, count, at: offset) }
        taffrail_copy_short(state.pointee.base.unsafelyUnwrapped + offset, bytes, count)
        state.pointee.cursor = UInt32(truncatingIfNeeded: end)
        return end
    }

    /// Puts a string's UTF-8 at an offset, moves the cursor behind it and returns it. Not inlined: the call is cheaper
    /// than what a caller would have to do around it.
    @inline(never)
    @usableFromInline
    func put(_ text: consuming String, at offset: Int) -> Int {
        text.withUTF8 { utf8 in
            guard let bytes = utf8.baseAddress else { return offset }
            let end = offset &+ utf8.count
            guard end <= Int(truncatingIfNeeded: state.pointee.capacity) else {
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

    /// Appends a string's UTF-8; where not all of it fits, its start up to a whole character.
    @inline(__always)
    func append(_ string: String) {
        var string = string
        string.withUTF8 { append(text: UnsafeRawBufferPointer($0)) }
    }

    /// Appends text; where not all of it fits, its start up to a whole character.
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

    /// Appends an integer's bytes in memory order.
    @inline(__always)
    func append<T: BitwiseCopyable>(raw value: T) {
        append(MemoryLayout<T>.size)?.storeBytes(of: value, as: T.self)
    }

    /// Puts a whole number in decimal digits at an offset, moves the cursor behind it and returns it.
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

    /// The bytes from an offset to the cursor, as an array of their own.
    func bytes(from start: Int) -> [UInt8] {
        guard cursor > start else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: pointer(at: start), count: cursor - start))
    }
}
