import TaffrailTestSupport
import Testing

/// A type is found by the name of its file: `Name.swift`, or `Name+Aspect.swift`.
@Suite struct TypeFileTests {
    /// A type in a file of another name.
    private struct Lodger: Hashable, CustomStringConvertible {
        let type: String
        let file: String
        var description: String { "\(file) | \(type)" }
    }

    /// Types of the core that stay in another file. They are on the path of a record, and read together with the code
    /// of that file.
    private static let ofTheCore: [(type: String, file: String, reason: String)] = [
        ("CallSite", "Logging/CallSites.swift", "is what a call looks up there"),
        ("ContextWord", "Logging/AmbientContext.swift", "says whether a call copies these attributes"),
        ("EightBytes", "Lines/EscapedText.swift", "the tests of its loop"),
        ("EscapeRule", "Lines/EscapedText.swift", "what its loop is generic over"),
        ("LineEncoding", "Lines/LineEncoder.swift", "what each of its cases conforms to"),
        ("LineEscape", "Lines/EscapedText.swift", "the rule for messages"),
        ("RecordFields", "Record/RecordView.swift", "the header that a view reads"),
        ("SharedWord", "System/Futex.swift", "the other word that processes share"),
        ("SinkCheckpoint", "Writer/SinkState.swift", "where the progress is stored"),
        ("SinkProgress", "Writer/SinkState.swift", "the progress of a sink"),
        ("SinkTable", "Writer/Delivery.swift", "where it stores the progress"),
    ]

    private static func lodgers(in files: [SwiftFile]) -> Set<Lodger> {
        var found: Set<Lodger> = []
        for file in files {
            let name = (file.path.split(separator: "/").last ?? "").dropLast(".swift".count)
            for type in file.types where name != type && !name.hasPrefix(type + "+") {
                found.insert(Lodger(type: type, file: file.path))
            }
        }
        return found
    }

    @Test func `a type is in a file of its name`() throws {
        let files = try SwiftFile.all(in: "Sources", "Plugins")
        #expect(files.count > 500)
        let core = Set(Self.ofTheCore.map { Lodger(type: $0.type, file: "Sources/Taffrail/\($0.file)") })
        let found = Self.lodgers(in: files)
        for lodger in found.subtracting(core).sorted(by: { "\($0)" < "\($1)" }) {
            Issue.record("\(lodger): give it a file of its name")
        }
        for lodger in core.subtracting(found).sorted(by: { "\($0)" < "\($1)" }) {
            Issue.record("\(lodger): take it off the list")
        }
    }

    @Test func `a private or nested type needs no file`() {
        let file = SwiftFile(
            path: "Sources/A/Pier.swift",
            text: """
                public final class Pier {
                    struct Bollard {}
                }
                private enum Rope {
                }
                fileprivate struct Knot {}
                extension Pier { enum Tide {} }
                #if HTTP
                @frozen package indirect enum Quay: Sendable {
                }
                #endif
                // struct Wreck {}
                protocol Crane {
                """)
        let aspect = SwiftFile(path: "Sources/A/Pier+Lights.swift", text: "typealias Pier = Int\nstruct Lamp {}")
        #expect(Set(Self.lodgers(in: [file, aspect]).map(\.type)) == ["Quay", "Crane", "Lamp"])
    }
}
