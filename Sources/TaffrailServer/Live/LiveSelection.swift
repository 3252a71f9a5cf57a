internal import Taffrail
internal import TaffrailQuery

/// Selects the records that a client watches: all conditions must hold.
struct LiveSelection: Sendable {
    private var level = Level.trace
    private var loggers: [String] = []
    private var devices: Set<String> = []
    private var query: LogSelection?

    /// Parses the parameters of a request: `level`, the minimum; `logger`, with its descendants, and `device`, each one
    /// or more names separated by commas; and `q`, a query as for stored records.
    init(_ parameters: [(name: String, value: String)]) throws(Problem) {
        var seen: Set<String> = []
        for (name, value) in parameters {
            guard seen.insert(name).inserted else { throw .bad("the parameter \"\(name)\" is repeated") }
            switch name {
            case "level":
                guard let level = Level(name: value) else { throw .bad("level must be the name of a level") }
                self.level = level
            case "logger": loggers = try Self.names(value, of: name)
            case "device": devices = Set(try Self.names(value, of: name))
            case "q":
                do throws(SelectionError) { query = try LogSelection(parsing: value) } catch {
                    throw .bad("q, character \(error.column): \(error.reason)")
                }
            default: throw .bad("unknown parameter \"\(name)\"")
            }
        }
    }

    private static func names(_ text: String, of parameter: String) throws(Problem) -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else { throw .bad("\(parameter) must be a name, or names separated by commas") }
        return names
    }

    /// Returns whether a record is selected.
    func matches(_ record: StoredRecord) -> Bool {
        guard record.level >= level, devices.isEmpty || devices.contains(record.device) else { return false }
        let isOfLogger = loggers.isEmpty || loggers.contains { Self.isLogged(record.logger, below: $0) }
        return isOfLogger && query?.matches(record) ?? true
    }

    private static func isLogged(_ logger: String, below name: String) -> Bool {
        guard logger.utf8.starts(with: name.utf8) else { return false }
        let rest = logger.utf8.dropFirst(name.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: ".")
    }
}
