/// The named values of a record: `["user": 7, "ok": true]`.
///
/// A literal is encoded directly into a buffer of the calling thread, without a dictionary. Names keep the order of the
/// literal; of several equal names the first one counts. Names longer than 255 bytes are truncated.
///
/// The attributes of a record are, innermost first: those of the call, of the logger (`Logger.with(_:)`), of the task
/// (`Logger.withAttributes(_:operation:)`), and the ambient ones (``ContextProvider``). The first one of a name takes
/// precedence.
public struct LogAttributes: ExpressibleByDictionaryLiteral {
    @usableFromInline
    let stored: StoredBytes?
    @usableFromInline
    let start: Int
    @usableFromInline
    let length: Int

    /// Creates attributes from a literal.
    @inlinable
    @inline(__always)
    public init(dictionaryLiteral elements: (StaticString, LogValue)...) {
        // Inlined, so that the compiler sees the end of the array's life and allocates it on the stack.
        if elements.isEmpty {
            self.init()
            return
        }
        var assembler = Assembler()
        var index = 0
        while index < elements.count {
            assembler.append(elements[index].0, elements[index].1)
            index += 1
        }
        self.init(assembler)
    }

    /// Creates attributes from names that are not literals.
    public init(_ elements: some Sequence<(key: String, value: LogValue)>) {
        var assembler = Assembler()
        for element in elements { assembler.append(element.key, element.value) }
        self.init(assembler)
    }

    /// No attributes.
    @inlinable
    @inline(__always)
    init() {
        stored = nil
        start = 0
        length = 0
    }

    /// The attributes that `assembler` has written.
    @usableFromInline
    init(_ assembler: Assembler) {
        let scratch = assembler.scratch
        start = assembler.start
        length = scratch.cursor - start
        stored = scratch.isInCall ? nil : StoredBytes.taking(from: start, of: scratch)
    }

    /// Moves the bytes to `offset`, after the call's message, and the cursor to their end. Discards anything else that
    /// the call has left there.
    @inline(__always)
    func finish(at offset: Int, in scratch: Scratch) {
        if stored == nil && (length == 0 || start == offset) {
            scratch.cursor = offset &+ length
        } else {
            move(to: offset, in: scratch)
        }
    }

    private func move(to offset: Int, in scratch: Scratch) {
        if let stored {
            scratch.cursor = offset
            scratch.append(stored.bytes)
            return
        }
        let end = scratch.cursor
        let missing = offset + length - end
        guard start >= 0, start + length <= end, missing <= 0 || scratch.append(missing) != nil else {
            scratch.cursor = offset
            return
        }
        scratch.pointer(at: offset).copyMemory(from: scratch.pointer(at: start), byteCount: length)
        scratch.cursor = offset + length
    }

    /// Calls `body` with the encoded bytes, as specified by ``RecordLayout``.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        if let stored { return stored.bytes.withUnsafeBytes(body) }
        guard length > 0 else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return body(UnsafeRawBufferPointer(start: Scratch.current.pointer(at: start), count: length))
    }

    /// Writes attributes at the end of the thread's scratch.
    @usableFromInline
    struct Assembler {
        let scratch: Scratch
        var start: Int

        @usableFromInline
        init() {
            scratch = .current
            start = scratch.cursor
        }

        @usableFromInline
        mutating func append(_ key: StaticString, _ value: LogValue) {
            if key.hasPointerRepresentation {
                let bytes = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
                AttributeCodec.append(key: bytes, value, to: scratch)
            } else {
                append("\(key)", value)
            }
        }

        mutating func append(_ key: String, _ value: LogValue) {
            var key = key
            key.withUTF8 { AttributeCodec.append(key: UnsafeRawBufferPointer($0), value, to: scratch) }
        }
    }
}
