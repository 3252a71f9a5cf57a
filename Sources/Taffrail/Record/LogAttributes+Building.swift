extension LogAttributes {
    /// Builds attributes one by one, without an intermediate collection.
    package init(building body: (inout Builder) -> Void) {
        var builder = Builder()
        body(&builder)
        self.init(builder.assembler)
    }

    /// Collects attributes for a record.
    package struct Builder {
        fileprivate var assembler = LogAttributes.Assembler()

        /// Adds an attribute.
        package mutating func add(_ key: StaticString, _ value: LogValue) { assembler.append(key, value) }
    }
}

extension LogMessage {
    /// Creates a message from UTF-8 bytes.
    package init(utf8 bytes: [UInt8]) {
        let scratch = Scratch.current
        let start = scratch.cursor
        bytes.withUnsafeBytes { scratch.append(text: $0) }
        self.init(scratch: scratch, from: start)
    }
}
