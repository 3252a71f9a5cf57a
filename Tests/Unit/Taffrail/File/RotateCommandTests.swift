#if Command
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct RotateCommandTests {
    let directory = TemporaryDirectory()

    func rotate(_ paths: [String]) throws -> SubjectProcess.End {
        try SubjectProcess(["rotate"] + paths, of: "taffrail", errors: directory.file("errors")).wait()
    }

    @Test func `taffrail rotate names a file and its writer goes on`() throws {
        let sink = try FileSink(FileOptions(path: directory.file("app.log")))
        try sink.write(["a"])
        for number in 1...6 { try directory.write("old\n", to: "app-20200101T000000.000Z-000\(number).log") }
        #expect(try rotate([directory.file("app.log")]) == .exited(0))
        #expect(directory.names.filter { $0.hasPrefix("app-") }.count == 7)
        try sink.write(["b"])
        #expect(directory.lines("app.log").count == 1)
    }

    @Test func `taffrail rotate says what is not there and goes on`() throws {
        try directory.write("a\n", to: "app.log")
        #expect(try rotate([directory.file("none.log"), directory.file("app.log")]) == .exited(66))
        #expect(directory.text("errors").contains("none.log: No such file"))
        #expect(directory.names.contains { $0.hasPrefix("app-") })
        #expect(!directory.names.contains("none.log"))
    }
}
#endif
