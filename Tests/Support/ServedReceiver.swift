internal import Foundation
internal import Glibc
internal import Taffrail

/// The program `taffrail serve`, with its data in a directory, which can be killed and restarted at the same port.
package final class ServedReceiver {
    private let folder: TemporaryDirectory
    /// There is none before the first start.
    private var reserved: ReservedPort?
    /// Its port, which it keeps while it is down; 0 before its first start.
    package var port: Int { reserved?.number ?? 0 }
    private var program: Program?
    private var starts = 0
    private let arguments: [String]

    /// - Parameter arguments: Further arguments of `taffrail serve`.
    package init(in folder: TemporaryDirectory, _ arguments: [String] = []) {
        self.folder = folder
        self.arguments = arguments
    }

    /// Starts the program, at the same port as before.
    package func start() async throws {
        if reserved == nil { reserved = try ReservedPort() }
        starts += 1
        let errors = "receiver-errors-\(starts)"
        let program = try Program(
            ["serve", "--bind", "127.0.0.1:\(port)", "--data", folder.file("data")] + arguments, in: folder,
            errors: errors)
        self.program = program
        let listens = "the receiver listens on http://127.0.0.1:"
        _ = await eventually { self.folder.text(errors).contains(listens) || !program.isRunning }
        let text = folder.text(errors)
        guard text.contains(listens) else { throw SystemError("start a receiver: \(text)", code: 5) }
    }

    package func kill() { program?.kill() }

    /// Ends the program with a signal.
    package func stop() async -> CInt? {
        program?.send(SIGTERM)
        return await program?.wait()
    }

    /// The records that it has written.
    package var records: [[String: Any]] {
        folder.lines("data/received.log").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    /// The database of positions.
    package var store: String { folder.file("data/track.sqlite") }
}
