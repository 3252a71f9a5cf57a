internal import Foundation

extension TemporaryDirectory {
    /// Whether a latitude or longitude is in the bytes of a database or of its log: as a number of SQLite, or as digits.
    ///
    /// - Parameter degrees: With at most seven decimals, and so large that it takes four bytes.
    package func hasCoordinate(_ degrees: Double, in database: String = "track.sqlite") throws -> Bool {
        let value = Int64((degrees * 1e7).rounded())
        let number = Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
        for name in names where name.hasPrefix(database) && name != database + "-lock" {
            let bytes = Data(try bytes(name))
            if bytes.range(of: number) != nil || bytes.range(of: Data("\(value)".utf8)) != nil { return true }
        }
        return false
    }
}
