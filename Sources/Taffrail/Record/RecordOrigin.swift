/// The process that logged the records of a ring: fields of the ring's header, which precedes its tables.
struct RecordOrigin: @unchecked Sendable {
    /// The length of the header.
    static let headerLength = 4096
    // The offsets of the fields.
    static let processID = 48
    static let program = 896
    static let host = 960
    /// The room for the name of the program, and for that of the host.
    static let nameLength = 64

    private let header: UnsafeRawPointer

    /// - Parameter header: The address of the header.
    init(header: UnsafeRawPointer) { self.header = header }

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
}
