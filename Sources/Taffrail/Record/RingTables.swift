/// What the records of a ring refer to: the process that logged them, which is in the ring's header, and the tables
/// that follow the header in memory, of the ambient attributes and of the call sites.
struct RingTables: @unchecked Sendable {
    /// The length of the header.
    static let headerLength = 4096
    // The offsets of the fields in the header.
    static let processID = 48
    static let program = 896
    static let host = 960
    /// The room for the name of the program, and for that of the host.
    static let nameLength = 64

    private let base: UnsafeRawPointer
    private let siteLength: Int

    /// The tables at an address, after the ring's header, given the length of the call site table.
    init(_ base: UnsafeRawPointer, siteLength: Int) {
        self.base = base
        self.siteLength = siteLength
    }

    private var header: UnsafeRawPointer { base - Self.headerLength }
    /// The kernel's id of the process.
    var processID: UInt32 { header.load(fromByteOffset: Self.processID, as: UInt32.self) }
    /// The program's name; empty if the ring does not contain it.
    var program: UnsafeRawBufferPointer { name(at: Self.program) }
    /// The host's name; empty if the ring does not contain it.
    var host: UnsafeRawBufferPointer { name(at: Self.host) }

    private func name(at offset: Int) -> UnsafeRawBufferPointer {
        let bytes = UnsafeRawBufferPointer(start: header + offset, count: Self.nameLength)
        return UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 })
    }

    var contexts: ContextTable { ContextTable(base) }
    var sites: CallSiteTable {
        @inline(__always) get { CallSiteTable(base + ContextTable.length, length: siteLength) }
    }
}
