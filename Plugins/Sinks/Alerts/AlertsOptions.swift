public import Taffrail
internal import TaffrailGeo
public import TaffrailQuery

/// The options of the sink `alerts`.
public struct AlertsOptions: PluginOptions {
    /// The rules, at least one.
    public var rules: [AlertRule]
    /// The file of their state. Default: `alerts.json` in the directory of the log.
    public var path: String?

    /// The device of records without one. Default: the device of the configuration; `nil`: none.
    public var device: String?

    /// Creates options.
    public init(rules: [AlertRule], path: String? = nil, device: String? = nil) {
        self.rules = rules
        self.path = path
        self.device = device
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case rules, path }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        let rules: [RuleOptions] = try options.value(.rules, or: [])
        self.init(rules: rules.map(\.rule), path: try options.path(.path), device: DeviceOptions.name(in: decoder))
        guard !rules.isEmpty else {
            throw options.problem(
                .rules, "must have a rule such as {name: errors, query: \"level>=error\", window: 5m}")
        }
        guard rules.count <= 100 else { throw options.problem(.rules, "has more than 100 rules") }
        var names: Set<String> = []
        for rule in self.rules where !names.insert(rule.name).inserted {
            throw options.problem(.rules, "two rules are named \"\(rule.name)\"")
        }
        if let path, path.isEmpty || path.hasSuffix("/") {
            throw options.problem(.path, "must be the path of a file")
        }
    }

    /// One of `rules`.
    private struct RuleOptions: Decodable {
        let rule: AlertRule

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case name, query, threshold, window, silence, by, devices, level
        }

        init(from decoder: any Decoder) throws {
            let options = try decoder.container(keyedBy: CodingKeys.self)
            let name: String = try options.value(.name, or: "")
            guard !name.isEmpty else { throw options.problem(.name, "must be a name") }
            let selection = try Self.selection(options)
            var rule = AlertRule(name, selection, try Self.condition(options))
            if options.contains(.by) {
                let division: String = try options.value(.by, or: "")
                guard division == "device" else {
                    throw options.problem(.by, "must be device, not \"\(division)\"")
                }
                rule.isByDevice = true
            }
            rule.devices = try options.value(.devices, or: [])
            guard rule.devices.isEmpty || rule.isByDevice else {
                throw options.problem(.devices, "requires by: device")
            }
            guard !rule.devices.contains("") else { throw options.problem(.devices, "must not have an empty name") }
            guard rule.devices.count <= AlertRule.mostDevices else {
                throw options.problem(.devices, "has more than \(AlertRule.mostDevices) names")
            }
            rule.level = try options.value(.level, or: rule.level)
            self.rule = rule
        }

        private static func selection(_ options: KeyedDecodingContainer<CodingKeys>) throws -> LogSelection {
            let query: String = try options.value(.query, or: "")
            let selection: LogSelection
            do throws(SelectionError) { selection = try LogSelection(parsing: query) } catch {
                throw options.problem(.query, "\(error)")
            }
            guard !selection.conditions.isEmpty else {
                throw options.problem(.query, "must contain a condition, such as level>=error")
            }
            guard !selection.hasTimes else {
                throw options.problem(.query, "must not contain since or until; use window or silence")
            }
            return selection
        }

        private static func condition(_ options: KeyedDecodingContainer<CodingKeys>) throws -> AlertRule.Condition {
            let durations = Duration.seconds(1) ... .days(31)
            if options.contains(.silence) {
                for key in [CodingKeys.threshold, .window] where options.contains(key) {
                    throw options.problem(key, "cannot be combined with silence")
                }
                return .silence(try options.value(.silence, or: .zero, in: durations))
            }
            guard options.contains(.window) else {
                throw options.problem(
                    .window, "is missing; a rule requires window, the time in which records are counted, or silence")
            }
            let threshold = try options.value(.threshold, or: 1, in: 1...1_000_000_000)
            return .threshold(threshold, window: try options.value(.window, or: .zero, in: durations))
        }
    }

    /// Returns the path of the file.
    func file(of instance: PluginInstance) -> String {
        path.map { DestinationPath.resolved($0) } ?? instance.logDirectory + "/alerts.json"
    }

    /// Returns the path of the file.
    public func destinations(of instance: PluginInstance) -> [String] { [file(of: instance)] }

    /// `true`: the state is kept next to the log by default.
    public static var keepsStateBesideLog: Bool { true }
}
