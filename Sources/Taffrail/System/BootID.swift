/// Which start of the machine this is: what was noted under another one was noted by nobody who is still alive.
package struct BootID: Equatable, BitwiseCopyable {
    let high: UInt64
    let low: UInt64

    /// Where the system does not tell; equals no other start.
    package static let unknown = BootID(high: 0, low: 0)

    /// This start of the machine.
    package static let current = Boot.id.withUnsafeBytes { bytes in
        bytes.count < 16
            ? unknown
            : BootID(
                high: bytes.loadUnaligned(as: UInt64.self), low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
    }
}
