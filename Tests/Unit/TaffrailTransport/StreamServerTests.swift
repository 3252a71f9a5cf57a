import Glibc
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailText
@testable import TaffrailTransport

/// A server in a process that has no file descriptor for another client.
@Suite(.mayBlock) struct StreamServerTests {
    private let captured = CapturedDiagnostics()

    private func reports(of server: StreamServer) -> [String] { captured.lines(with: "port \(server.port): ") }

    /// Connects: the system does that for the server.
    private func connect(to server: StreamServer) throws -> ByteStream {
        try ByteStream.open(
            .tcp(host: "127.0.0.1", port: server.port), timeout: .seconds(60), interrupt: Interrupt())
    }

    /// Accepts as the system does.
    private static func accept(_ listener: Int32) -> Int32 {
        let descriptor = SocketAddress.accept(listener)
        return descriptor < 0 ? -errno : descriptor
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `a connection that cannot be accepted is tried again after a pause, and reported once`(code: Int32) throws {
        let pause = Duration.milliseconds(100)
        let calls = Locked<[Int64]>([])
        let server = try StreamServer(pause: pause, handlers: .init()) { listener in
            let count = calls.withLock { calls in
                calls.append(SystemClock.monotonicNanoseconds())
                return calls.count
            }
            return count < 3 ? -code : Self.accept(listener)
        }
        defer { server.close(timeout: .zero) }
        let client = try connect(to: server)
        #expect(waited { server.clientCount == 1 })
        let times = calls.withLock { $0 }
        #expect(times.count == 3)
        for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= pause.nanoseconds) }
        let reason = SystemError("accept", code: code).reason
        #expect(
            reports(of: server) == ["port \(server.port): connections wait until they can be accepted: \(reason)"])
        withExtendedLifetime(client) {}
    }

    @Test func `a client that leaves makes space for one that waits`() throws {
        let free = Locked(1)
        let joined = Locked(0)
        let handlers = StreamServer.Handlers(
            joined: { id in
                joined.withLock { $0 = id }
                return []
            }, left: { _ in free.withLock { $0 += 1 } })
        let server = try StreamServer(pause: .hours(1), handlers: handlers) { listener in
            let hasSpace = free.withLock { free in
                defer { free = 0 }
                return free > 0
            }
            return hasSpace ? Self.accept(listener) : -EMFILE
        }
        defer { server.close(timeout: .zero) }
        let first = try connect(to: server)
        #expect(waited { joined.withLock { $0 } == 1 && server.clientCount == 1 })
        let second = try connect(to: server)
        #expect(waited { reports(of: server).count == 1 })
        shutdown(first.descriptor, Int32(SHUT_RDWR))
        #expect(waited { joined.withLock { $0 } == 2 && server.clientCount == 1 })
        #expect(reports(of: server).count == 1)
        withExtendedLifetime((first, second)) {}
    }
}
