/// The identity of a boot of the machine: processes of another boot are no longer alive.
package struct BootID: Equatable, BitwiseCopyable {
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
        var id: UInt128 = 0
        var count = 0
        for byte in text where byte > UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
            guard let digit = HexText.digit(byte) else { return unknown }
            id = id << 4 | UInt128(digit)
            count += 1
        }
        guard count == 32 else { return unknown }
        return BootID(
            high: UInt64(truncatingIfNeeded: id >> 64).bigEndian, low: UInt64(truncatingIfNeeded: id).bigEndian)
    }()
}
