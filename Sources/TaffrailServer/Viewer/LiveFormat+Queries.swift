internal import Taffrail
internal import TaffrailQuery

extension StoredRecord: LiveRecord {}

extension LiveFormat {
    /// Records and queries as the store of records has them.
    package static let queried = LiveFormat(
        make: { StoredRecord($0, device: "") },
        selection: { text throws(Problem) in
            let selection: LogSelection
            do throws(SelectionError) { selection = try LogSelection(parsing: text) } catch {
                throw .bad("q, character \(error.column): \(error.reason)")
            }
            return { ($0 as? StoredRecord).map(selection.matches) ?? false }
        })
}
