/// The options of a plugin: what stands under its name in a configuration.
///
/// A configuration reads them with a strict decoder: it refuses keys that the type does not ask for, and says
/// where a value stands that the type throws a `DecodingError` about. Keys are the property names in
/// `snake_case`. Where the coding keys are `CaseIterable`, an unknown key is found before anything else and told
/// together with all known ones.
///
/// They are compared when a configuration is read anew: an instance whose options are equal is kept running.
public protocol PluginOptions: Decodable, Equatable, Sendable {
    /// Where a sink with these options writes, as its ``Sink/destinations``; for a check of the configuration, which
    /// makes no sinks. Default: nothing.
    func destinations(of instance: PluginInstance) -> [String]
}

extension PluginOptions {
    /// Nothing.
    public func destinations(of instance: PluginInstance) -> [String] { [] }
}

extension KeyedDecodingContainer {
    /// The value of a key, or `standard` where the key is missing.
    ///
    /// - Throws: `DecodingError` for a value of another type.
    public func value<T: Decodable>(_ key: Key, or standard: @autoclosure () -> T) throws -> T {
        contains(key) ? try option(key) : standard()
    }

    /// The value of a key, or `nil` where the key is missing.
    ///
    /// - Throws: `DecodingError` for a value of another type.
    public func value<T: Decodable>(_ key: Key) throws -> T? {
        contains(key) ? try option(key) : nil
    }

    /// The value of a key; a `Duration` is text with a unit, such as `30s`.
    private func option<T: Decodable>(_ key: Key) throws -> T {
        if T.self == Duration.self, let value = try decode(DurationOption.self, forKey: key).duration as? T {
            return value
        }
        return try decode(T.self, forKey: key)
    }

    /// The value of a key, or `standard` where the key is missing.
    ///
    /// - Throws: `DecodingError` for a value of another type or outside the range, which is named.
    public func value<T: Decodable & Comparable>(
        _ key: Key, or standard: @autoclosure () -> T, in range: ClosedRange<T>
    ) throws -> T {
        let value: T = try value(key, or: standard())
        guard range.contains(value) else {
            throw problem(key, DurationText.outside(range, value))
        }
        return value
    }

    /// An error about the value of a key; where it stands is added by whoever reads the configuration.
    ///
    /// - Parameter message: Such as `must be an absolute path`.
    public func problem(_ key: Key, _ message: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: message)
    }
}

extension Level: Decodable {
    /// Reads a level's name, as ``init(name:)`` does.
    ///
    /// - Throws: `DecodingError` that names all levels.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let level = Level(name: text) else {
            let names = Level.allCases.map(\.name).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "must be one of \(names), is \"\(text)\"")
        }
        self = level
    }
}
