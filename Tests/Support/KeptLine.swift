package import Taffrail
internal import TaffrailTracks

/// A line of NMEA without a reader, which keeps the sent bytes.
package final class KeptLine: NMEALine {
    package let sent = Locked<[UInt8]>([])
    package let name = "line"
    package let listeners: Int? = nil
    package let isDrained = true
    package let leadIn = Duration.zero

    package init() {}

    package func send(_ bytes: [UInt8]) throws(SystemError) { sent.withLock { $0 += bytes } }

    package func close() {}
}
