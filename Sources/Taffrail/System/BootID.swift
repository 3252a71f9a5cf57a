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
        let digits = text.compactMap(HexText.digit)
        guard digits.count == 32 else { return unknown }
        func bytes(_ half: Range<Int>) -> UInt64 { digits[half].reduce(0) { $0 << 4 | UInt64($1) }.bigEndian }
        return BootID(high: bytes(0..<16), low: bytes(16..<32))
    }()
}
