/// The sections of a configuration that several plugins share, while the options of one of them are read.
///
///     let places = PluginSections.section("places", as: PlacesOptions.self, in: decoder)
public struct PluginSections: Sendable {
    private let sections: [String: any PluginOptions]

    /// Makes sections that have been read.
    package init(_ sections: [String: any PluginOptions]) { self.sections = sections }

    /// Where a decoder of options has them.
    package static let key = CodingUserInfoKey(rawValue: "taffrail.sections")

    /// The section of a name; `nil` where the configuration has none, or none that could be read.
    ///
    /// - Parameter decoder: What the options are read from.
    public static func section<Options: PluginOptions>(
        _ name: String, as type: Options.Type = Options.self, in decoder: any Decoder
    ) -> Options? {
        let sections = key.flatMap { decoder.userInfo[$0] } as? PluginSections
        return sections?.sections[name] as? Options
    }
}
