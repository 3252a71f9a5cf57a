public import Taffrail

/// The options of the sink `oslog`. They are there on every system, so that one file can be checked anywhere.
public struct OSLogOptions: PluginOptions {
    /// The subsystem under which Console shows the entries. Default `nil`: the program's name. Not empty.
    public var subsystem: String?
    /// The category of records without a logger's name; others have that name. Default `default`. Not empty.
    public var category: String
    /// Whether attributes stand behind the message, as in a text line. Default `true`.
    public var attributes: Bool

    /// Makes options; each has the default that its property tells.
    public init(subsystem: String? = nil, category: String = "default", attributes: Bool = true) {
        self.subsystem = subsystem
        self.category = category
        self.attributes = attributes
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case subsystem, category, attributes
    }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        subsystem = try options.value(.subsystem)
        category = try options.value(.category, or: category)
        attributes = try options.value(.attributes, or: attributes)
        if subsystem?.isEmpty == true { throw options.problem(.subsystem, "must not be empty") }
        if category.isEmpty { throw options.problem(.category, "must not be empty") }
    }
}
