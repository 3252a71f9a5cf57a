#if Command
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct RotateCommandTests {
    let directory = TemporaryDirectory()

    func rotate(_ paths: [String]) throws -> Program.End {
        try Program(["rotate"] + paths, of: "taffrail", errors: directory.file("errors")).end()
    }

    @Test func `taffrail rotate renames a file and its writer continues`() throws {
        let sink = try FileSink(FileOptions(path: directory.file("app.log")))
        try sink.write(["a"])
        for number in 1...6 { try directory.append("old\n", to: "app-20200101T000000.000Z-000\(number).log") }
        #expect(try rotate([directory.file("app.log")]) == .exited(0))
        #expect(directory.names.filter { $0.hasPrefix("app-") }.count == 7)
        try sink.write(["b"])
        #expect(directory.lines("app.log").count == 1)
    }

    @Test func `taffrail rotate reports a missing file and continues`() throws {
        try directory.append("a\n", to: "app.log")
        #expect(try rotate([directory.file("none.log"), directory.file("app.log")]) == .exited(66))
        #expect(directory.text("errors").contains("none.log: No such file"))
        #expect(directory.names.contains { $0.hasPrefix("app-") })
        #expect(!directory.names.contains("none.log"))
    }
}
#endif
