#if Configuration
import Taffrail
import TaffrailConfiguration
import TaffrailTesting

/// A receiver's worth of options: every type, a range, an enumeration, something required, something nested.
struct HarbourOptions: PluginOptions {
    enum Flag: String, CaseIterable, Decodable { case red, green, white }

    struct Rotate: Decodable, Equatable, Sendable {
        var size: ByteSize?
        var keep: Int

        private enum CodingKeys: String, CodingKey, CaseIterable { case size, keep }

        init(from decoder: any Decoder) throws {
            let options = try decoder.container(keyedBy: CodingKeys.self)
            size = try options.value(.size)
            keep = try options.value(.keep, or: 5, in: 1...100)
        }
    }

    var host: String
    var port: Int
    var isOpen: Bool
    var factor: Double
    var timeout: Duration
    var flag: Flag
    var level: Level
    var berths: [Int]
    var rotate: Rotate?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case host, port, factor, timeout, flag, level, berths, rotate
        case isOpen = "is_open"
    }

    init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        host = try options.decode(String.self, forKey: .host)
        port = try options.value(.port, or: 2947, in: 1...65_535)
        isOpen = try options.value(.isOpen, or: true)
        factor = try options.value(.factor, or: 1)
        timeout = try options.value(.timeout, or: .seconds(5), in: .seconds(1) ... .minutes(1))
        flag = try options.value(.flag, or: .white)
        level = try options.value(.level, or: .info)
        berths = try options.value(.berths, or: [])
        rotate = try options.value(.rotate)
        if host.isEmpty { throw options.problem(.host, "must not be empty") }
    }
}

/// Options as a third party may write them: synthesized, with no list of keys.
struct PlainOptions: PluginOptions {
    var colour: String?
    var depth: Int?
}

/// `harbour` and `plain` are sinks, `hoist` is a processor.
enum SamplePlugins: Plugin {
    static func register(in registry: inout PluginRegistry) throws {
        try registry.addSink("harbour") { (_: HarbourOptions, instance) in MemorySink(name: instance.name) }
        try registry.addSink("plain") { (_: PlainOptions, instance) in MemorySink(name: instance.name) }
        try registry.addProcessor("hoist") { (_: PlainOptions, _) in Hoist() }
    }

    struct Hoist: Processor {
        mutating func process(_ record: inout LogRecord) -> Verdict { .keep }
    }

    static func read(_ text: String, environment: [String: String] = [:]) throws -> Plan {
        try Plan.read(
            text: text, named: "a.yaml", registry: PluginRegistry([SamplePlugins.self]), environment: environment)
    }

    /// The messages of the error with which a text is rejected; empty if it is accepted.
    static func problems(_ text: String, environment: [String: String] = [:]) throws -> [String] {
        do {
            _ = try read(text, environment: environment)
            return []
        } catch let error as ConfigurationError {
            return error.problems.map(\.description)
        }
    }
}
#endif
