internal import Foundation

/// ClickHouse's engine behind its HTTP interface, as `Examples/Fleet/tools` installs it and `clickhouse.py` there serves it; it ends with the
/// value.
package final class ClickHouseEngine {
    /// Python with the engine; `nil` where it is not installed.
    package static let python: String? = {
        let environment = Repository.root.appending(path: ".build-fleet")
        let path = environment.appending(path: "bin/python3").path
        let isComplete = FileManager.default.fileExists(atPath: environment.appending(path: "complete").path)
        return isComplete && FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// What tests that need it are skipped with.
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
    ///   - port: Default: one that is free.
    ///   - environment: User and password, if one is demanded.
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
