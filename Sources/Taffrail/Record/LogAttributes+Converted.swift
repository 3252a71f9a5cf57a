extension LogAttributes {
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

    @usableFromInline
    @inline(never)
    init(converting elements: UnsafeBufferPointer<(String, any LogValueConvertible)>) {
        var assembler = Assembler()
        let scratch = assembler.scratch
        for index in elements.indices {
            // Through pointers to the parts: a subscript would copy the whole element for each of them.
            guard let element = elements.baseAddress.map({ UnsafeMutablePointer(mutating: $0 + index) }),
                let key = element.pointer(to: \.0), let value = element.pointer(to: \.1)
            else { continue }
            let end = scratch.cursor
            let converted = value.pointee.attributeValue
            // Discard the partial conversion of the value in the scratch.
            scratch.cursor = end
            if let converted { assembler.append(key.pointee, converted) }
        }
        self.init(assembler)
    }

    /// Attributes, followed by an error's description and type: `error` and `error.type`. Attributes of these names
    /// take precedence.
    @usableFromInline
    @inline(never)
    init(_ attributes: () -> LogAttributes, error: any Error) {
        // Before the attributes, because a description may log.
        let (text, type) = (String(describing: error), "\(type(of: error))")
        var assembler = Assembler(after: attributes())
        assembler.append("error", .string(text))
        assembler.append("error.type", .string(type))
        self.init(assembler)
    }
}

extension LogAttributes.Assembler {
    /// Appends to attributes that have already been written.
    fileprivate init(after attributes: LogAttributes) {
        self.init()
        if attributes.stored == nil, attributes.start + attributes.length == start {
            start = attributes.start
        } else {
            attributes.withBytes { [UInt8]($0) }.withUnsafeBytes { scratch.append($0) }
        }
    }
}
