import Foundation
import TaffrailTestSupport
import Testing

/// The core's public types at the top level are those that a program or a plugin needs; operator tooling is `package`.
@Suite struct PublicTypesTests {
    /// The names of the public types at the top level of a file.
    private static func publicTypes(in text: String) -> [String] {
        let declaration =
            /(?:@\w+(?:\([^)]*\))? )*public (?:final |indirect )?(?:struct|class|enum|protocol|actor) (\w+).*/
        return text.split(separator: "\n").compactMap { $0.wholeMatch(of: declaration).map { String($0.1) } }
    }

    @Test func `the core has at most 45 public types at the top level`() throws {
        let root = Repository.root.appending(path: "Sources/Taffrail")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 100)
        let types = try paths.sorted().flatMap { path in
            Self.publicTypes(in: try String(contentsOf: root.appending(path: path), encoding: .utf8)).map {
                "\($0) (\(path))"
            }
        }
        #expect(types.contains { $0.hasPrefix("Logger ") } && types.contains { $0.hasPrefix("Pipeline ") })
        #expect(types.count <= 45, "\(types.count): \(types.joined(separator: ", "))")
    }

    @Test func `a nested type and one that is not public do not count`() {
        let text = """
            public struct One {
                public enum Two {}
            }
            package struct Three {}
            extension One { public struct Four {} }
            @frozen public enum Five: Sendable {
            public final class Six: Sink, @unchecked Sendable {
            """
        #expect(Self.publicTypes(in: text) == ["One", "Five", "Six"])
    }
}
