/// The identity of a boot of the machine: processes of another boot are no longer alive.
package struct BootID: Equatable, BitwiseCopyable {
    // The order of the properties is that of the bytes.

    /// The first eight of its 16 bytes, in memory order.
    let high: UInt64
    /// The last eight.
    let low: UInt64

    /// Unknown; equals no boot.
    package static let unknown = BootID(high: 0, low: 0)

    /// This boot: `/proc/sys/kernel/random/boot_id`, ``unknown`` if it cannot be read.
    package static let current: BootID = {
        let file = try? FileDescriptor("/proc/sys/kernel/random/boot_id", .read)
        let text = (try? file?.read(64, at: 0)) ?? []
        let digits = text.filter { $0 > 32 && $0 != UInt8(ascii: "-") }
        guard let bytes = HexText.bytes(digits, count: 16) else { return unknown }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: BootID.self) }
    }()
}
