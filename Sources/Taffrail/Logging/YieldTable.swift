/// The name prefixes of a record's own attributes that suppress some ambient ones. Equal tables are created once, and
/// never freed, because a call may still read the previous one.
final class YieldTable: Sendable {
    private static let known = Locked<[YieldTable]>([])

    private let prefixes: [[UInt8]]

    private init(_ prefixes: [[UInt8]]) { self.prefixes = prefixes }

    /// Returns the address of the table of some prefixes; 0 for none.
    static func address(of prefixes: [[UInt8]]) -> UInt64 {
        if prefixes.isEmpty { return 0 }
        let table = known.withLock { known in
            if let found = known.first(where: { $0.prefixes == prefixes }) { return found }
            let made = YieldTable(prefixes)
            known.append(made)
            return made
        }
        return UInt64(UInt(bitPattern: Unmanaged.passUnretained(table).toOpaque()))
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
