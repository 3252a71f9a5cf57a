import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailText
@testable import TaffrailTransport

/// The system's lookup of a host may block for minutes, and cannot be ended.
@Suite(.mayBlock) struct HostResolverTests {
    /// A lookup that blocks until it is released.
    private final class Lookups: Sendable {
        private let release = Interrupt()
        private let calls = Locked<[String]>([])
        private let answer: SocketAddress

        init() throws { answer = try #require(SocketAddress.numeric("127.0.0.1", 1, datagrams: false)?.first) }

        var all: [String] { calls.withLock { $0 } }
        func answerAll() { release.trigger() }

        var resolver: HostResolver {
            HostResolver { host, port, datagrams throws(SystemError) in
                self.calls.withLock { $0.append("\(host):\(port) \(datagrams)") }
                _ = self.release.wait(timeout: nil)
                if host == "none" { throw SystemError("find the host none", code: EHOSTUNREACH) }
                return [self.answer]
            }
        }
    }

    /// Calls `body` on a thread; returns the code of its error, or 0.
    private static func code(
        _ body: @escaping @Sendable () throws(SystemError) -> Void
    ) async throws -> Int32 {
        try await blocking {
            do throws(SystemError) {
                try body()
                return 0
            } catch { return error.code }
        }
    }

    @Test(arguments: [StreamAddress.tcp(host: "ferry", port: 2_947), .udp(host: "ferry", port: 2_947)])
    func `opening a stream ends when it is interrupted, also while the host is looked up`(
        address: StreamAddress
    ) async throws {
        let lookups = try Lookups()
        defer { lookups.answerAll() }
        let (resolver, interrupt) = (lookups.resolver, Interrupt())
        async let code = Self.code { () throws(SystemError) in
            _ = try ByteStream.open(
                address, timeout: .hours(1), interrupt: interrupt, resolver: resolver)
        }
        #expect(await eventually { lookups.all.count == 1 })
        interrupt.trigger()
        #expect(try await code == ECANCELED)
    }

    /// The error of opening a stream to a host with several addresses.
    private static func failure(_ address: StreamAddress, at targets: [SocketAddress]) -> SystemError? {
        let resolver = HostResolver { _, _, _ throws(SystemError) in targets }
        return #expect(throws: SystemError.self) {
            try ByteStream.open(address, timeout: .hours(1), interrupt: Interrupt(), resolver: resolver)
        }
    }

    /// An address for which there is no socket.
    private static var unknown: SocketAddress {
        var unknown = sockaddr()
        unknown.sa_family = sa_family_t(AF_UNSPEC)
        return withUnsafeBytes(of: unknown) { SocketAddress($0) }
    }

    @Test(arguments: [StreamAddress.tcp(host: "ferry", port: 2_947), .udp(host: "ferry", port: 2_947)])
    func `an address for which there is no socket is reported with the reason`(address: StreamAddress) throws {
        #expect(Self.failure(address, at: [Self.unknown])?.code == EAFNOSUPPORT)
    }

    @Test(arguments: [
        (StreamAddress.tcp(host: "ferry", port: 2_947), "127.0.0.1", ECONNREFUSED),
        // An address for documentation, which no interface has.
        (.udp(host: "ferry", port: 2_947), "192.0.2.1", EADDRNOTAVAIL),
    ])
    func `an address without a socket does not hide why another one failed`(
        address: StreamAddress, host: String, code: Int32
    ) throws {
        let target = try #require(SocketAddress.numeric(host, 1, datagrams: false)?.first)
        #expect(Self.failure(address, at: [target, Self.unknown])?.code == code)
        #expect(Self.failure(address, at: [Self.unknown, target])?.code == code)
    }

    @Test func `an endpoint has one lookup at a time, however often it is given up`() async throws {
        let lookups = try Lookups()
        let resolver = lookups.resolver
        for _ in 0..<20 {
            let interrupt = Interrupt()
            interrupt.trigger()
            let code = try await Self.code { () throws(SystemError) in
                _ = try resolver.resolve("ferry", 2_947, datagrams: false, interrupt: interrupt)
            }
            #expect(code == ECANCELED)
        }
        let (port, kind, none) = (Interrupt(), Interrupt(), Interrupt())
        async let first = Self.code { () throws(SystemError) in
            _ = try resolver.resolve("ferry", 2_948, datagrams: false, interrupt: port)
        }
        async let second = Self.code { () throws(SystemError) in
            _ = try resolver.resolve("ferry", 2_947, datagrams: true, interrupt: kind)
        }
        async let third = Self.code { () throws(SystemError) in
            _ = try resolver.resolve("none", 2_947, datagrams: false, interrupt: none)
        }
        #expect(await eventually { lookups.all.count == 4 })
        lookups.answerAll()
        #expect(try await [first, second, third] == [0, 0, EHOSTUNREACH])
        let all = ["ferry:2947 false", "ferry:2947 true", "ferry:2948 false", "none:2947 false"]
        #expect(lookups.all.sorted() == all)
        // An answer is not kept: addresses change.
        #expect(
            await eventually {
                _ = try? resolver.resolve("ferry", 2_947, datagrams: false, interrupt: Interrupt())
                return lookups.all.count > 4
            })
    }

    @Test func `a later caller gets the answer to the lookup that was given up`() async throws {
        // In a round in which the caller comes after the answer, it starts a lookup of its own.
        let hasJoined = try await eventually {
            let lookups = try Lookups()
            let (resolver, interrupt) = (lookups.resolver, Interrupt())
            interrupt.trigger()
            let code = try await Self.code { () throws(SystemError) in
                _ = try resolver.resolve("ferry", 2_947, datagrams: false, interrupt: interrupt)
            }
            #expect(code == ECANCELED)
            let isCalled = Locked(false)
            async let later = Self.code { () throws(SystemError) in
                isCalled.withLock { $0 = true }
                _ = try resolver.resolve("ferry", 2_947, datagrams: false, interrupt: Interrupt())
            }
            #expect(await eventually { isCalled.withLock { $0 } })
            lookups.answerAll()
            #expect(try await later == 0)
            return lookups.all.count == 1
        }
        #expect(hasJoined)
    }

    @Test(arguments: ["127.0.0.1", "::1"]) func `a numeric address is not looked up`(host: String) throws {
        let lookups = try Lookups()
        let interrupt = Interrupt()
        interrupt.trigger()
        #expect(try lookups.resolver.resolve(host, 1, datagrams: false, interrupt: interrupt).count == 1)
        #expect(lookups.all == [])
    }
}
