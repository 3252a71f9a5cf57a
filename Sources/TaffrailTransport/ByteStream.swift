internal import Glibc
internal import Taffrail
package import TaffrailText

/// An open stream of bytes: a connection, a serial line, datagrams, a file. One thread at a time.
package final class ByteStream: Sendable {
    package let descriptor: Int32
    package let address: StreamAddress
    /// Whether the end of the available data is final, as in a file.
    package let isFinite: Bool
    /// A forked child may have closed the descriptor, and opened another file under its number.
    private let process = ThisProcess.id

    package init(descriptor: Int32, address: StreamAddress, isFinite: Bool = false) {
        self.descriptor = descriptor
        self.address = address
        self.isFinite = isFinite
    }

    deinit { if process == ThisProcess.id { close(descriptor) } }

    /// The result of a read.
    package enum Outcome: Sendable, Equatable {
        /// The number of bytes.
        case bytes(Int)
        /// The time limit was reached.
        case timeout
        /// The end of the stream; with an error number, or 0 when the other side closed it.
        case end(Int32)
        /// The interrupt was triggered.
        case interrupted
    }

    /// Waits for bytes and reads them.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, timeout: Duration?, interrupt: Interrupt
    ) -> Outcome {
        while true {
            switch interrupt.wait(for: descriptor, timeout: timeout) {
            case .interrupted: return .interrupted
            case .timeout: return .timeout
            case .ready: break
            }
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { return .bytes(count) }
            // An empty datagram is not the end.
            if count == 0, case .udp = address { continue }
            if count == 0 { return .end(0) }
            if errno != EAGAIN && errno != EINTR { return .end(errno) }
        }
    }

    /// Writes all bytes.
    ///
    /// - Returns: 0, or an error number; `ETIMEDOUT` and `ECANCELED` for the time limit and the interrupt.
    package func write(_ bytes: UnsafeRawBufferPointer, timeout: Duration?, interrupt: Interrupt) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = send(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count > 0 {
                done += count
                continue
            }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return count < 0 ? errno : EIO }
            switch interrupt.wait(for: descriptor, writing: true, timeout: timeout) {
            case .interrupted: return ECANCELED
            case .timeout: return ETIMEDOUT
            case .ready: break
            }
        }
        return 0
    }

    private func send(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        // Writing to a connection that the other side has closed must not raise a signal.
        let sent = Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
        return sent < 0 && errno == ENOTSOCK ? Glibc.write(descriptor, bytes, count) : sent
    }
}
