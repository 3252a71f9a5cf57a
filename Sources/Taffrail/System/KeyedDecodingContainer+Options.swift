extension KeyedDecodingContainer {
    /// Returns the value of a key, or `defaultValue` if the key is missing.
    ///
    /// - Throws: `DecodingError` for a value of another type.
    public func value<T: Decodable>(_ key: Key, or defaultValue: @autoclosure () -> T) throws -> T {
        contains(key) ? try option(key) : defaultValue()
    }

    /// Returns the value of a key, or `nil` if the key is missing.
    ///
    /// - Throws: `DecodingError` for a value of another type.
    public func value<T: Decodable>(_ key: Key) throws -> T? {
        contains(key) ? try option(key) : nil
    }

    /// Returns the value of a key; a `Duration` is a string with a unit, such as `30s`.
    private func option<T: Decodable>(_ key: Key) throws -> T {
        if T.self == Duration.self, let value = try decode(DurationOption.self, forKey: key).duration as? T {
            return value
        }
        return try decode(T.self, forKey: key)
    }

    /// Returns the value of a key, or `defaultValue` if the key is missing.
    ///
    /// - Throws: `DecodingError` for a value of another type or out of range; it contains the range.
    public func value<T: Decodable & Comparable>(
        _ key: Key, or defaultValue: @autoclosure () -> T, in range: ClosedRange<T>
    ) throws -> T {
        let value: T = try value(key, or: defaultValue())
        guard range.contains(value) else {
            throw problem(key, DurationText.outside(range, value))
        }
        return value
    }

    /// Returns the value of a key, or `nil` if the key is missing.
    ///
    /// - Throws: `DecodingError` for a value of another type or out of range; it contains the range.
    public func value<T: Decodable & Comparable>(_ key: Key, in range: ClosedRange<T>) throws -> T? {
        contains(key) ? try value(key, or: range.lowerBound, in: range) : nil
    }

    /// Returns the path of a file or directory under a key, or `nil` if the key is missing.
    ///
    /// - Throws: `DecodingError` for an empty path, and for one that starts with `~` or `$`, which only a shell expands; it
    ///   contains what to write instead.
    public func path(_ key: Key) throws -> String? {
        guard let path: String = try value(key) else { return nil }
        guard !path.isEmpty else { throw problem(key, "must not be empty") }
        if let reason = PathText.problem(path) { throw problem(key, reason) }
        return path
    }

    /// Returns the path of a file or directory under a key, or `defaultValue` if the key is missing.
    ///
    /// - Throws: As ``path(_:)``.
    public func path(_ key: Key, or defaultValue: @autoclosure () -> String) throws -> String {
        try path(key) ?? defaultValue()
    }

    /// Returns an error about the value of a key. The reader of the configuration adds the file position.
    ///
    /// - Parameters:
    ///   - key: The key that has the problem.
    ///   - message: For example `must be an absolute path`.
    public func problem(_ key: Key, _ message: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: message)
    }
}
