public import Taffrail

/// The options of the sink `csv`.
public struct CSVOptions: PluginOptions {
    /// The file; absolute.
    public var path: String
    /// The separator of columns: `,`, `;` or a tab. Default `,`.
    public var separator: String

    /// Creates options.
    public init(path: String, separator: String = ",") {
        self.path = path
        self.separator = separator
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case path, separator }

    /// Reads options; the configuration adds file, line and column to errors thrown here.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        path = try options.decode(String.self, forKey: .path)
        separator = try options.value(.separator, or: ",")
        guard path.hasPrefix("/") else { throw options.problem(.path, "must be absolute, not \"\(path)\"") }
        guard [",", ";", "\t"].contains(separator) else {
            throw options.problem(.separator, "must be a comma, a semicolon or a tab")
        }
    }
}
