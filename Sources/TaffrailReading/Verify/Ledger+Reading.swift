package import Taffrail

extension Ledger {
    /// Reads the ledger of a log directory; empty if it does not exist. Changes nothing.
    ///
    /// The newest counts of a live run are in its ring: see ``QueueStatus``.
    ///
    /// - Parameter directory: The directory of the logs, or its `.taffrail`.
    /// - Throws: `SinkError` when it exists and cannot be read.
    package static func read(directory: String) throws(SinkError) -> LedgerContents {
        let state = QueueStatus.stateDirectory(of: directory)
        do throws(SystemError) {
            return LedgerContents(try LedgerFile(directory: state).entries())
        } catch {
            throw .permanent("\(error)")
        }
    }
}
