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
        let text = String(decoding: (try? file?.read(64, at: 0)) ?? [], as: UTF8.self)
        let digits = text.filter(\.isHexDigit)
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return unknown }
        return BootID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }()
}
