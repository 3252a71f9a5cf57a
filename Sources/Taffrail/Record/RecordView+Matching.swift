extension RecordView {
    /// Whether the record has any attributes.
    public var hasAttributes: Bool { fields.hasAttributes }

    /// Whether the record's logger has this name, or one below it: `net.http` is below `net`.
    public func isLogged(below name: String) -> Bool {
        let logger = fields.logger
        guard logger.starts(with: name.utf8) else { return false }
        let length = name.utf8.count
        return logger.count == length || logger[length] == UInt8(ascii: ".")
    }

    /// Whether the message has a text in it, byte by byte. Copies nothing.
    public func messageContains(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { ByteSearch.contains(UnsafeRawBufferPointer($0), in: fields.message) }
    }

    /// Whether the record stands for one of these events. Copies nothing.
    public func hasEvent(among names: [String]) -> Bool {
        let event = fields.event
        for name in names where event.count == name.utf8.count && event.starts(with: name.utf8) { return true }
        return false
    }
}
