internal import Foundation

/// ClickHouse's engine with its HTTP interface, installed by `Examples/Fleet/tools` and served by `clickhouse.py`
/// there. It ends with the value.
package final class ClickHouseEngine {
    /// Python with the engine; `nil` if it is not installed.
    package static let python: String? = {
        let environment = Repository.root.appending(path: ".build-fleet")
        let path = environment.appending(path: "bin/python3").path
        let isComplete = FileManager.default.fileExists(atPath: environment.appending(path: "complete").path)
        return isComplete && FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// The reason for skipping tests that require it.
    package static let hint: String = "run Examples/Fleet/tools .build-fleet, which needs PyPI"

    private struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private let program: Program
    /// The port of its HTTP interface.
    package let port: Int

    /// Starts it, with an empty table `otel_logs` in the database `default`.
    ///
    /// - Parameters:
    ///   - port: The port. Default: a free one.
    ///   - environment: The user and the password, if one is required.
    package init(in folder: TemporaryDirectory, port: Int = 0, environment: [String: String] = [:]) throws {
        guard let python = Self.python else { throw Missing(description: Self.hint) }
        program = try Program(
            [
                Repository.root.appending(path: "Examples/Fleet/clickhouse.py").path, "\(port)",
                folder.file("clickhouse-\(UUID().uuidString)"),
            ], of: python, environment: environment, errors: folder.file("clickhouse-errors"))
        guard let line = program.readLine(), let number = Int(line) else {
            throw Missing(description: folder.text("clickhouse-errors"))
        }
        self.port = number
    }

    /// Ends it.
    package func stop() { program.kill() }
}
