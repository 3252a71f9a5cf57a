@testable import Taffrail

extension Recovery {
    /// The number of records written, by the sink with the most.
    var recovered: UInt64 { delivered.values.max() ?? 0 }

    /// The names of all rings in a directory, oldest run first.
    static func rings(in directory: String) -> [String] {
        Directory.names(in: directory).filter { $0.hasSuffix(".ring") }
            .map { (RingHeader.start(of: directory + "/" + $0), $0) }.sorted { $0 < $1 }.map(\.1)
    }
}
