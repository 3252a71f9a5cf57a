internal import Glibc

extension TemporaryDirectory {
    /// Whether a latitude or longitude is in the bytes of a database or of its log: as a number of SQLite, or as digits.
    ///
    /// - Parameter degrees: At most seven decimals, and large enough to be stored in four bytes.
    package func hasCoordinate(_ degrees: Double, in database: String = "track.sqlite") throws -> Bool {
        let value = Int64((degrees * 1e7).rounded())
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        let digits = Array("\(value)".utf8)
        for name in names where name.hasPrefix(database) && name != database + "-lock" {
            let bytes = try bytes(name)
            if contains(number, in: bytes) || contains(digits, in: bytes) { return true }
        }
        return false
    }

    private func contains(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var offset = 0
            while bytes.count - offset >= wanted.count {
                let room = bytes.count - offset - wanted.count + 1
                guard let found = memchr(start + offset, CInt(wanted[0]), room) else { return false }
                if memcmp(found, wanted, wanted.count) == 0 { return true }
                offset = UnsafeRawPointer(found) - start + 1
            }
            return false
        }
    }
}
