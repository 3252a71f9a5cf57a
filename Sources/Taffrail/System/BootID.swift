/// The identity of a boot of the machine: processes of another boot are no longer alive.
package struct BootID: Equatable, BitwiseCopyable {
    let high: UInt64
    let low: UInt64

    /// Unknown; equals no boot.
    package static let unknown = BootID(high: 0, low: 0)

    /// This boot.
    package static let current = Boot.id.withUnsafeBytes { bytes in
        bytes.count < 16
            ? unknown
            : BootID(
                high: bytes.loadUnaligned(as: UInt64.self), low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
    }
}

/// The identity of this boot of the machine.
enum Boot {
    /// The 16 bytes of `/proc/sys/kernel/random/boot_id`; zeros if it cannot be read.
    static let id: [UInt8] = {
        let file = try? FileDescriptor("/proc/sys/kernel/random/boot_id", .read)
        let text = (try? file?.read(64, at: 0)) ?? []
        let digits = text.filter { $0 > 32 && $0 != UInt8(ascii: "-") }
        return HexText.bytes(digits, count: 16) ?? [UInt8](repeating: 0, count: 16)
    }()
}
