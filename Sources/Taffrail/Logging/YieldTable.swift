/// The name prefixes of a record's own attributes that suppress some ambient ones. Tables are never freed,
/// because a call may still read the previous one; equal tables are created once.
final class YieldTable: Sendable {
    private static let tables = Locked<[Set<String>: Unmanaged<YieldTable>]>([:])

    private let prefixes: [[UInt8]]

    private init(_ prefixes: Set<String>) { self.prefixes = prefixes.map { Array($0.utf8) } }

    /// Returns the address of the table of some prefixes; 0 for none.
    static func bits(of prefixes: Set<String>) -> UInt64 {
        guard !prefixes.isEmpty else { return 0 }
        return tables.withLock { tables in
            let table = tables[prefixes] ?? .passRetained(YieldTable(prefixes))
            tables[prefixes] = table
            return UInt64(UInt(bitPattern: table.toOpaque()))
        }
    }

    /// Returns the table at an address.
    static func table(_ bits: UInt64) -> YieldTable? {
        UnsafeRawPointer(bitPattern: UInt(bits)).map { Unmanaged<YieldTable>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns whether the name of one of these attributes starts with a prefix.
    func hasMatch(_ attributes: UnsafeRawBufferPointer) -> Bool {
        var rest = attributes
        while let entry = AttributeCodec.next(&rest) {
            if prefixes.contains(where: { entry.key.starts(with: $0) }) { return true }
        }
        return false
    }
}
