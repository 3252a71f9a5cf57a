/// What the numbers in a ring's records stand for: the ambient attributes and the call sites, one table after the other
/// in memory.
struct RingTables: @unchecked Sendable {
    private let base: UnsafeRawPointer
    private let siteLength: Int

    /// The tables at an address, of which that of the call sites has so many bytes.
    init(_ base: UnsafeRawPointer, siteLength: Int) {
        self.base = base
        self.siteLength = siteLength
    }

    var contexts: ContextTable { ContextTable(base) }
    var sites: CallSiteTable {
        @inline(__always) get { CallSiteTable(base + ContextTable.length, length: siteLength) }
    }
}
