/// The options of a plugin: the mapping under its name in a configuration.
///
/// A configuration reads them with a strict decoder: it rejects unknown keys, and adds the file position to a
/// `DecodingError` that the type throws. Keys are the property names in `snake_case`. If the coding keys are
/// `CaseIterable`, an unknown key is detected first and reported together with all known ones.
///
/// They are compared when a configuration is reloaded: an instance with equal options is kept running.
public protocol PluginOptions: Decodable, Equatable, Sendable {
    /// Returns the ``Sink/destinations`` of a sink with these options, for checking a configuration without creating
    /// sinks. Default: none.
    func destinations(of instance: PluginInstance) -> [String]

    /// Whether the plugin keeps state in its ``PluginInstance/logDirectory``, which in a configuration is then that of
    /// the first sink `file`. If a reload changes the path of that log, the plugin is restarted. Default `false`.
    static var keepsStateBesideLog: Bool { get }
}

extension PluginOptions {
    /// Returns no destinations.
    public func destinations(of instance: PluginInstance) -> [String] { [] }

    /// `false`.
    public static var keepsStateBesideLog: Bool { false }
}
