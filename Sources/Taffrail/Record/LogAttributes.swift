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
        var builder = Builder()
        var index = 0
        while index < elements.count {
            builder.add(elements[index].0, elements[index].1)
            index += 1
        }
        self.init(builder)
    }

    /// Creates attributes from names that are not literals.
    public init(_ elements: some Sequence<(key: String, value: LogValue)>) {
        var builder = Builder()
        for element in elements { builder.add(element.key, element.value) }
        self.init(builder)
    }

    /// No attributes.
    @inlinable
    @inline(__always)
    init() {
        stored = nil
        start = 0
        length = 0
    }

    /// Builds attributes one by one, without an intermediate collection.
    package init(building body: (inout Builder) -> Void) {
        var builder = Builder()
        body(&builder)
        self.init(builder)
    }

    @usableFromInline
    @inline(never)
    init(converting elements: UnsafeBufferPointer<(String, any LogValueConvertible)>) {
        var builder = Builder()
        let scratch = builder.scratch
        for index in elements.indices {
            // Through pointers to the parts: a subscript would copy the whole element for each of them.
            guard let element = elements.baseAddress.map({ UnsafeMutablePointer(mutating: $0 + index) }),
                let key = element.pointer(to: \.0), let value = element.pointer(to: \.1)
            else { continue }
            let end = scratch.cursor
            let converted = value.pointee.attributeValue
            // Discard the partial conversion of the value in the scratch.
            scratch.cursor = end
            if let converted { builder.add(key.pointee, converted) }
        }
        self.init(builder)
    }

    /// Attributes, followed by an error's description and type: `error` and `error.type`. Attributes of these names
    /// take precedence.
    @usableFromInline
    @inline(never)
    init(_ attributes: () -> LogAttributes, error: any Error) {
        // Before the attributes, because a description may log.
        let (text, type) = (String(describing: error), "\(type(of: error))")
        var builder = Builder(after: attributes())
        builder.add("error", .string(text))
        builder.add("error.type", .string(type))
        self.init(builder)
    }

    /// The attributes that `builder` has written.
    @usableFromInline
    init(_ builder: Builder) {
        let scratch = builder.scratch
        start = builder.start
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
    package struct Builder {
        let scratch: Scratch
        var start: Int

        @usableFromInline
        init() {
            scratch = .current
            start = scratch.cursor
        }

        /// Adds to attributes that have already been written.
        fileprivate init(after attributes: LogAttributes) {
            self.init()
            if attributes.stored == nil, attributes.start + attributes.length == start {
                start = attributes.start
            } else {
                scratch.append(attributes.withBytes { [UInt8]($0) })
            }
        }

        /// Adds an attribute.
        @usableFromInline
        package mutating func add(_ key: StaticString, _ value: LogValue) {
            if key.hasPointerRepresentation {
                let bytes = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
                AttributeCodec.append(key: bytes, value, to: scratch)
            } else {
                add("\(key)", value)
            }
        }

        mutating func add(_ key: String, _ value: LogValue) {
            var key = key
            key.withUTF8 { AttributeCodec.append(key: UnsafeRawBufferPointer($0), value, to: scratch) }
        }
    }

    /// Attributes with values of any ``LogValueConvertible`` types: `["port": port, key: 3]`.
    ///
    /// The type of a literal that is not a ``LogAttributes`` itself, because a value is a variable or a name is not a
    /// literal. A `nil` value is omitted. Not meant to be used by name: write a literal.
    public struct Converted: ExpressibleByDictionaryLiteral {
        /// The attributes, encoded.
        public let attributes: LogAttributes

        /// Creates attributes from a literal.
        @inlinable
        @inline(__always)
        public init(dictionaryLiteral elements: (String, any LogValueConvertible)...) {
            // Inlined, so that the compiler sees the end of the array's life and allocates it on the stack.
            attributes = elements.withUnsafeBufferPointer { LogAttributes(converting: $0) }
        }
    }
}
