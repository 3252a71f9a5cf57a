import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailTransport

@Suite(.mayBlock) struct LocalSocketTests {
    private let folder = TemporaryDirectory()

    /// The name that a socket was bound to.
    private func boundName(_ descriptor: Int32) -> String {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return "" }
        return withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    @Test func `a socket gets its name when it accepts connections, so that no program takes it for dead`() throws {
        let path = folder.file("run.control")
        let listener = try LocalSocket.listen(path)
        let first = boundName(listener.descriptor)
        #expect(first.hasPrefix(folder.path + "/.") && first.hasSuffix(".tmp"), "\(first)")
        #expect(throws: Never.self) { _ = try LocalSocket.connect(path) }
        LocalSocket.removeIfDead(path)
        #expect(folder.names == ["run.control"])
        withExtendedLifetime(listener) {}
    }

    @Test func `the longest name can be listened on, and so can one without space for another name beside it`() throws {
        for length in [ControlServer.longestPath - folder.path.utf8.count - 1, 1] {
            var directory = folder.path
            if length == 1 {
                directory += "/" + String(repeating: "d", count: ControlServer.longestPath - directory.utf8.count - 3)
                try Directory.create(directory)
            }
            let path = directory + "/" + String(repeating: "s", count: length)
            #expect(path.utf8.count == ControlServer.longestPath)
            let listener = try LocalSocket.listen(path)
            #expect(throws: Never.self) { _ = try LocalSocket.connect(path) }
            withExtendedLifetime(listener) {}
            #expect(Directory.names(in: directory).count { $0.hasSuffix(".tmp") } == 0)
        }
        let long = folder.file(String(repeating: "s", count: ControlServer.longestPath))
        #expect(throws: SystemError.self) { _ = try LocalSocket.listen(long) }
    }

    @Test func `a dead socket is replaced, and a living one is not, nor is another file`() throws {
        let path = folder.file("run.control")
        _ = try LocalSocket.listen(path)
        let listener = try LocalSocket.listen(path)
        try folder.write("x", to: "text")
        for name in ["run.control", "text"] {
            #expect(throws: SystemError.self) { _ = try LocalSocket.listen(folder.file(name)) }
        }
        #expect(throws: Never.self) { _ = try LocalSocket.connect(path) }
        withExtendedLifetime(listener) {}
        #expect(folder.names == ["run.control", "text"] && folder.text("text") == "x")
    }
}
