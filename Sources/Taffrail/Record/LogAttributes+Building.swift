extension LogAttributes {
    /// Makes attributes one by one, without a collection in between.
    package init(building body: (inout AttributeBuilder) -> Void) {
        var builder = AttributeBuilder()
        body(&builder)
        self.init(builder.assembler)
    }
}

/// Takes attributes that are on their way into a record.
package struct AttributeBuilder {
    fileprivate var assembler = LogAttributes.Assembler()

    /// Adds an attribute.
    package mutating func add(_ key: StaticString, _ value: LogValue) { assembler.append(key, value) }
}

extension LogMessage {
    /// Makes a message from the bytes of a text.
    package init(utf8 bytes: [UInt8]) {
        let scratch = Scratch.current
        let start = scratch.cursor
        bytes.withUnsafeBytes { scratch.append(text: $0) }
        self.init(scratch: scratch, from: start)
    }
}
