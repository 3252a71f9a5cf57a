internal import Taffrail
internal import TaffrailQuery

/// Selects the records that a client watches: all conditions must hold.
struct LiveSelection: Sendable {
    private let selection: LogSelection

    /// Parses the parameters of a request: `level`, the minimum; `logger`, with its descendants, and `device`, each one
    /// or more names separated by commas; and `q`, a query as for stored records.
    init(_ parameters: [(name: String, value: String)]) throws(Problem) {
        var seen: Set<String> = []
        var tests: [LogTest] = []
        var query = LogSelection()
        for (name, value) in parameters {
            guard seen.insert(name).inserted else { throw .bad("the parameter \"\(name)\" is repeated") }
            switch name {
            case "level":
                guard let level = Level(name: value) else { throw .bad("level must be the name of a level") }
                tests.append(.level(.atLeast, level))
            case "logger": tests.append(.logger(try Self.names(value, of: name)))
            case "device": tests.append(.device(try Self.names(value, of: name).map { LogName($0) }))
            case "q":
                do throws(SelectionError) { query = try LogSelection(parsing: value, zone: .utc) } catch {
                    throw .bad("q, character \(error.column): \(error.reason)")
                }
            default: throw .bad("unknown parameter \"\(name)\"")
            }
        }
        selection = LogSelection(tests.map { LogCondition($0) } + query.conditions)
    }

    private static func names(_ text: String, of parameter: String) throws(Problem) -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else { throw .bad("\(parameter) must be a name, or names separated by commas") }
        return names
    }

    /// Returns whether a record is selected.
    func matches(_ record: StoredRecord) -> Bool { selection.matches(record) }
}
