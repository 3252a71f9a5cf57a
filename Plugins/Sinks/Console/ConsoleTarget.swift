internal import Taffrail

/// What a descriptor for lines is connected to.
struct ConsoleTarget {
    let descriptor: CInt
    /// The value of an environment variable; `nil` if it is missing or empty.
    let variable: (String) -> String?

    /// Whether it is a terminal that supports colours.
    var showsColors: Bool { Environment.showsColors(on: descriptor, variable: variable) }

    /// Whether it is connected to journald: `JOURNAL_STREAM` contains the device and inode of the stream that systemd
    /// connected.
    var isJournal: Bool {
        guard let wanted = variable("JOURNAL_STREAM"), let status = FileStatus.of(descriptor) else { return false }
        return wanted == "\(status.device):\(status.inode)"
    }
}
