/// The tables that the numbers in a ring's records refer to: the ambient attributes and the call sites, contiguous in
/// memory after the ring's header.
struct RingTables: @unchecked Sendable {
    private let base: UnsafeRawPointer
    private let siteLength: Int

    /// The tables at an address, after the ring's header, given the length of the call site table.
    init(_ base: UnsafeRawPointer, siteLength: Int) {
        self.base = base
        self.siteLength = siteLength
    }

    /// The process that logged the records.
    var origin: RecordOrigin { RecordOrigin(header: base - RecordOrigin.headerLength) }
    var contexts: ContextTable { ContextTable(base) }
    var sites: CallSiteTable {
        @inline(__always) get { CallSiteTable(base + ContextTable.length, length: siteLength) }
    }
}
