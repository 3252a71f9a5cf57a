import Foundation
import TaffrailTestSupport
import Testing

/// `THIRD-PARTY.md` against `Package.swift`.
@Suite struct ThirdPartyTests {
    @Test func `every package is listed with its licence`() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let list = try String(contentsOf: Repository.root.appending(path: "THIRD-PARTY.md"), encoding: .utf8)
        let rows = list.split(separator: "\n").filter { $0.hasPrefix("| [") }
        let packages = manifest.matches(of: /\.package\(url: "([^"]+)"/).map { String($0.output.1) }
        #expect(packages.count > 10)
        for package in packages {
            let row = try #require(rows.first { $0.contains("(\(package))") }, "\(package) has no row")
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 3 && cells[1].hasPrefix("`") && !cells[2].isEmpty, "\(row)")
        }
        #expect(rows.count == packages.count, "a row has no package")
    }
}
