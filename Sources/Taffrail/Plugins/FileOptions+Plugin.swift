extension LineOptions.Format: Decodable {}
extension LineOptions.Time: Decodable {}
extension LineOptions.Precision: Decodable {}

extension FileOptions: PluginOptions {
    /// Returns the live file's path.
    public func destinations(of instance: PluginInstance) -> [String] {
        LogPath(ofLog: FilePlugin.path(self, instance)).map { [$0.resolved] } ?? []
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case path, format, pattern, time, precision, mode, rotate
        case flushLevel = "flush_level"
        case currentLink = "current_link"
    }

    /// Reads the mapping under `file:` in a configuration.
    ///
    /// - Throws: `DecodingError` that names the option.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            path: try options.value(.path, or: "app.log"), rotate: try options.value(.rotate, or: .init()),
            format: try options.value(.format, or: .text), pattern: try options.value(.pattern),
            time: try options.value(.time, or: .local), precision: try options.value(.precision),
            flushLevel: try options.value(.flushLevel), currentLink: try options.value(.currentLink, or: false))
        if let text: String = try options.value(.mode) {
            guard let mode = Int(text.hasPrefix("0o") ? String(text.dropFirst(2)) : text, radix: 8),
                (0...0o777).contains(mode)
            else { throw options.problem(.mode, "must be octal digits from 0 to 0777, not \(text)") }
            self.mode = UInt16(mode)
        }
        do throws(OptionError) { try validate() } catch {
            throw options.problem(CodingKeys(rawValue: error.option) ?? .path, error.reason)
        }
    }
}
