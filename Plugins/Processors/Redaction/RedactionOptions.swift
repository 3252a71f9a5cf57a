internal import _StringProcessing
public import Taffrail

/// The options of the processor `redaction`.
public struct RedactionOptions: PluginOptions {
    /// The values of attributes with these names, ignoring case and also inside maps, are replaced at the log call,
    /// before they reach the queue. Default: none.
    public var keys: [String]
    /// Regular expressions in Swift's syntax. Matches in the message, the event name or string attributes are replaced
    /// on the writer thread. Default: none.
    public var patterns: [String]
    /// The replacement. Default `<redacted>`.
    public var replacement: String

    /// Creates options. An invalid pattern matches nothing.
    public init(keys: [String] = [], patterns: [String] = [], replacement: String = "<redacted>") {
        self.keys = keys
        self.patterns = patterns
        self.replacement = replacement
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case keys, patterns, replacement
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        let checked: [CheckedPattern] = try options.value(.patterns, or: [])
        self.init(keys: try options.value(.keys, or: []), patterns: checked.map(\.text))
        replacement = try options.value(.replacement, or: replacement)
        if keys.isEmpty && patterns.isEmpty {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: options.codingPath, debugDescription: "needs \"keys\" or \"patterns\""))
        }
    }

    /// A pattern that is a valid regular expression.
    private struct CheckedPattern: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try value.decode(String.self)
            do {
                let regex = try Regex(text)
                guard try regex.firstMatch(in: "") == nil else {
                    throw DecodingError.dataCorruptedError(
                        in: value, debugDescription: "must not match the empty string, as \"\(text)\" does")
                }
            } catch let error as DecodingError {
                throw error
            } catch {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "is not a regular expression: \(error)")
            }
        }
    }
}
