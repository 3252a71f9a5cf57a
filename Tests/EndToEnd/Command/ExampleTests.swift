#if Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

/// The examples produce their documented output.
@Suite(.mayBlock) struct ExampleTests {
    private static let names: [String] = {
        var names = ["HelloLog", "ContainerLog", "DriveRecorder", "FieldDevice"]
        #if Server && SwiftLog
        names.append("SwiftServer")
        #endif
        return names
    }()

    @Test(arguments: names)
    func `an example prints its expected output`(name: String) throws {
        let check = Repository.root.appending(path: "Examples/\(name)/check").path
        let result = try Program.run([Program.products + "/" + name], of: check)
        let report = result.output + result.errors
        #expect(result.code == 0 && result.output.hasSuffix("\(name): as expected\n"), "\(report)")
    }

    @Test func `the check of RecordAndReplay reports that there is no command`() throws {
        let check = Repository.root.appending(path: "Examples/RecordAndReplay/check").path
        let result = try Program.run(["/nonexistent/taffrail"], of: check)
        #expect(result.code == 69 && result.errors.contains("no /nonexistent/taffrail in PATH"), "\(result.errors)")
    }
}
#endif
