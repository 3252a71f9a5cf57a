internal import Glibc
internal import Taffrail
internal import TaffrailText

/// Waits for a change in directories, for data from a source, or until the reader of the output has closed it.
final class DirectoryWatch {
    private let events = FileEvents()
    private let output: CInt

    /// - Parameter output: The output descriptor to watch; -1: none.
    init(_ directories: Set<String>, output: CInt) {
        self.output = output
        let mask = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ATTRIB
        for directory in directories { _ = events.watch(directory, for: Int(mask)) }
    }

    /// Waits.
    ///
    /// - Parameters:
    ///   - sources: Descriptors that become readable.
    ///   - timeout: The time limit; network file systems report no events.
    /// - Returns: The readable sources, whether the directories may have new names, and whether the output's reader has
    ///   closed it.
    func wait(_ sources: [CInt], timeout: Duration) -> (readable: [Bool], hasNewNames: Bool, isClosed: Bool) {
        var polled = [pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0)]
        polled.append(pollfd(fd: output, events: 0, revents: 0))
        for source in sources { polled.append(pollfd(fd: source, events: Int16(POLLIN), revents: 0)) }
        let count = poll(&polled, nfds_t(polled.count), timeout.pollTimeout)
        let hasNewNames = polled[0].revents != 0 ? takeEvents() : count == 0
        let isClosed = polled[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 && output >= 0
        return (polled.dropFirst(2).map { $0.revents != 0 }, hasNewNames, isClosed)
    }

    /// Reads the events. Returns `true` if a name is, or may be, new.
    private func takeEvents() -> Bool {
        let wanted = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_Q_OVERFLOW)
        var masks: UInt32 = 0
        events.takeAll { _, mask, _ in masks |= mask }
        return masks & wanted != 0
    }
}
