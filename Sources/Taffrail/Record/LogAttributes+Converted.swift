extension LogAttributes {
    /// Attributes of any values that are ``LogValueConvertible``: `["port": port, key: 3]`.
    ///
    /// What a literal becomes that is no ``LogAttributes`` itself, because a value is a variable or a name is known at
    /// run time only. An attribute that is `nil` is left out. Never name this type: write a literal.
    public struct Converted: ExpressibleByDictionaryLiteral {
        /// The attributes, encoded.
        public let attributes: LogAttributes

        /// Makes attributes from a literal.
        @inlinable
        @inline(__always)
        public init(dictionaryLiteral elements: (String, any LogValueConvertible)...) {
            // Inlined, so that the compiler sees the array's end and keeps it on the stack.
            attributes = elements.withUnsafeBufferPointer { LogAttributes(converting: $0) }
        }
    }

    @usableFromInline
    @inline(never)
    init(converting elements: UnsafeBufferPointer<(String, any LogValueConvertible)>) {
        var assembler = Assembler()
        let scratch = assembler.scratch
        for index in elements.indices {
            // By pointers to the parts: a subscript would copy the whole element for each of them.
            guard let element = elements.baseAddress.map({ UnsafeMutablePointer(mutating: $0 + index) }),
                let key = element.pointer(to: \.0), let value = element.pointer(to: \.1)
            else { continue }
            let end = scratch.cursor
            let converted = value.pointee.attributeValue
            // What making the value has left there is gone.
            scratch.cursor = end
            if let converted { assembler.append(key.pointee, converted) }
        }
        self.init(assembler)
    }

    /// Attributes, and after them an error's description and type: `error` and `error.type`. What `attributes` names so
    /// counts first.
    @usableFromInline
    @inline(never)
    init(_ attributes: () -> LogAttributes, error: any Error) {
        // Before the attributes, because a description may itself log.
        let (text, type) = (String(describing: error), "\(type(of: error))")
        var assembler = Assembler(after: attributes())
        assembler.append("error", .string(text))
        assembler.append("error.type", .string(type))
        self.init(assembler)
    }
}

extension LogAttributes.Assembler {
    /// Goes on after attributes that have been written.
    fileprivate init(after attributes: LogAttributes) {
        self.init()
        if attributes.stored == nil, attributes.start + attributes.length == start {
            start = attributes.start
        } else {
            attributes.withBytes { [UInt8]($0) }.withUnsafeBytes { scratch.append($0) }
        }
    }
}
