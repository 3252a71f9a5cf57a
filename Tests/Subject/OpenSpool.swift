import Glibc
import Taffrail
import TaffrailDelivery

/// Opens a spool and reads its first records, in a process that does nothing else, and prints how long the opening took, in
/// nanoseconds, how much more memory the process has had since, in KiB, and how many records were read.
func openSpool(_ directory: String) throws {
    let spool = Spool(SpoolOptions(directory: directory, size: .gibibytes(12)))
    let before = statusKibibytes("VmRSS:")
    let start = SystemClock.monotonicNanoseconds()
    try spool.open()
    let opened = SystemClock.monotonicNanoseconds() - start
    var reader = SpoolReader()
    let part = try reader.read(spool.view, SpoolReader.Limits())
    say("\(opened) \(statusKibibytes("VmHWM:") - before) \(part.count)")
    spool.close()
}

/// A size in `/proc/self/status`.
private func statusKibibytes(_ key: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, CInt(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.hasPrefix(key) { return Int(text.filter(\.isNumber)) ?? 0 }
    }
    return 0
}
