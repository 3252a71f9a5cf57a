extension LogRecord {
    /// Returns whether both have the same text and values, byte for byte. `==` ignores whether characters are composed,
    /// and the sign of zero. The run is not compared.
    func isIdentical(to other: LogRecord) -> Bool {
        timestamp == other.timestamp && sequence == other.sequence && level == other.level && trace == other.trace
            && message.isIdentical(to: other.message) && logger.isIdentical(to: other.logger)
            && Self.areIdentical(eventName, other.eventName)
            && source?.line == other.source?.line && Self.areIdentical(source?.file, other.source?.file)
            && Self.areIdentical(source?.function, other.source?.function)
            && LogValue.areIdentical(attributes, other.attributes)
    }

    private static func areIdentical(_ text: String?, _ other: String?) -> Bool {
        guard let text, let other else { return text == nil && other == nil }
        return text.isIdentical(to: other)
    }
}

extension LogValue {
    @inline(never)
    fileprivate func isIdentical(to other: LogValue) -> Bool {
        switch (self, other) {
        case (.string(let text), .string(let other)): text.isIdentical(to: other)
        case (.double(let number), .double(let other)): number.bitPattern == other.bitPattern
        case (.array(let values), .array(let others)):
            values.count == others.count && zip(values, others).allSatisfy { $0.isIdentical(to: $1) }
        case (.map(let entries), .map(let others)): Self.areIdentical(entries, others)
        default: self == other
        }
    }

    fileprivate static func areIdentical(_ entries: [LogValueEntry], _ others: [LogValueEntry]) -> Bool {
        entries.count == others.count
            && zip(entries, others).allSatisfy { $0.key.isIdentical(to: $1.key) && $0.value.isIdentical(to: $1.value) }
    }
}

extension String {
    /// Returns whether both have the same bytes. Compares them in memory, several times as fast as by iterating.
    @inline(never)
    package func isIdentical(to other: String) -> Bool {
        var text = self
        return utf8.count == other.utf8.count
            && text.withUTF8 { ByteSearch.starts(UnsafeRawBufferPointer($0), with: other) }
    }
}
