import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

/// lnav reads our lines by `share/lnav/taffrail.json`.
@Suite(.mayBlock, .enabled(if: Program.areThere("lnav"), "lnav is not installed")) struct LnavTests {
    private static func run(_ arguments: [String], home: TemporaryDirectory) throws -> String {
        let result = try Program.run(arguments, of: "lnav", environment: ["HOME": home.path, "TZ": "UTC"])
        #expect(result.code == 0, "\(result.errors)")
        return result.output
    }

    @Test(arguments: [(FileOptions.Format.text, "taffrail_log"), (FileOptions.Format.json, "taffrail_json_log")])
    func `lnav knows time, level and message`(format: FileOptions.Format, table: String) throws {
        let directory = TemporaryDirectory()
        let home = TemporaryDirectory()
        try directory.log(["left pier 3"], format: format)
        try directory.log(["fog"], from: 1_767_623_460, format: format, level: .warning)
        _ = try Self.run(["-i", Repository.root.appending(path: "share/lnav/taffrail.json").path], home: home)
        let rows = try Self.run(
            [
                "-n", "-c", ";SELECT log_time, log_level, log_body FROM \(table)", "-c", ":write-csv-to -",
                directory.file("app.log"),
            ], home: home)
        #expect(rows.contains("2026-01-05 14:30:00.000,info,"), "\(rows)")
        #expect(rows.contains("2026-01-05 14:31:00.000,warning,"), "\(rows)")
        #expect(rows.contains("left pier 3") && rows.contains("fog"), "\(rows)")
    }
}
