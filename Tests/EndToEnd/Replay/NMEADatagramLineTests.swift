import Foundation
import Glibc
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailTracks
@testable import TaffrailText

@Suite(.mayBlock) struct NMEADatagramLineTests {
    /// The answers to the next datagrams, and those that were sent.
    private struct Network {
        var codes: [Int32]
        var sent: [[UInt8]] = []
    }

    @Test(arguments: [EHOSTUNREACH, ENETDOWN, ENETUNREACH, ENOBUFS])
    func `a network that is down loses epochs, is reported once, and ends nothing`(code: Int32) throws {
        let captured = CapturedDiagnostics()
        let network = Locked(Network(codes: [0, code, code, EINTR, 0, ECONNREFUSED, 0]))
        // A port for each error: the name is in what is reported.
        let line = try NMEADatagramLine(host: "127.0.0.1", port: 1_000 + Int(code)) { _, bytes, _ in
            network.withLock { network in
                let code = network.codes.removeFirst()
                if code == 0 { network.sent.append(bytes) }
                return code
            }
        }
        for number: UInt8 in 1...6 { try line.send([number]) }
        #expect(network.withLock { $0.sent } == [[1], [4], [6]])
        let reason = SystemError("send", code: code).reason
        #expect(
            captured.lines(with: line.name) == [
                "\(line.name): positions are lost: \(reason)", "\(line.name): positions are sent again",
            ])
    }

    @Test func `an error that does not pass is thrown`() throws {
        let line = try NMEADatagramLine(host: "127.0.0.1", port: 9) { _, _, _ in EMSGSIZE }
        let error = #expect(throws: SystemError.self) { try line.send([1]) }
        #expect(error?.code == EMSGSIZE)
    }

    #if Command
    /// Whether a program can have a network of its own, which is down.
    static let canCutOff =
        geteuid() == 0 && Program.areThere("unshare") && (try? Program.run(["-n", "true"], of: "unshare").code) == 0

    @Test(.enabled(if: canCutOff, "a network of its own needs root and unshare"))
    func `a replay continues to its end without a network`() throws {
        let folder = TemporaryDirectory()
        try Drive(20, rate: 4).write(to: folder.file("drive.json"))
        let taffrail = try #require(Program.path("taffrail"))
        let (code, _, errors) = try Program.run(
            [
                "-n", taffrail, "replay", folder.file("drive.json"), "--as-fast-as-possible", "--to",
                "nmea-udp://127.0.0.1:9",
            ], of: "unshare")
        #expect(code == 0 && errors.contains("17 events in"), "\(errors)")
        #expect(errors.components(separatedBy: "positions are lost: network is unreachable").count == 2, "\(errors)")
    }
    #endif
}
