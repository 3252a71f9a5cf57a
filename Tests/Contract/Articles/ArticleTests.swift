#if Configuration && Journald
import Foundation
import Taffrail
import TaffrailConfiguration
import TaffrailTestSupport
import Testing

@testable import TaffrailMain

/// The code and the configurations in README, articles and other pages work.
@Suite struct ArticleTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    /// The sources in which the code of pages is compiled.
    private static let compiled = [
        "Tests/Contract/Articles/GettingStartedSamples.swift", "Tests/Contract/Articles/PluginSamples.swift",
        "Tests/Contract/Articles/ReadmeSamples.swift", "Tests/Contract/Articles/GeoSamples.swift",
        "Tests/Contract/Articles/LibrarySamples.swift",
        "Examples/ThirdPartyPlugin/Sources/CSVLog/CSVSink.swift",
        "Examples/ThirdPartyPlugin/Sources/CSVLog/CSVPlugin.swift",
        "Examples/ThirdPartyPlugin/Sources/CSVLog/CSVOptions.swift",
        "Examples/ThirdPartyPlugin/Tests/CSVLogTests/CSVSinkTests.swift",
        "Examples/DriveRecorder/Sources/DriveRecorder/DriveRecorder.swift",
    ]

    /// Swift code except README's first block and lines of a manifest, which .ci/check-client builds.
    static let swift = CodeBlock.all.filter { block in
        block.language == "swift" && !block.text.contains(".package(")
            && !(block.page == "README.md" && block.number == 3)
    }

    @Test func `there are pages with code`() {
        #expect(CodeBlock.pages.count > 20 && Self.swift.count > 12)
        #expect(CodeBlock.all.contains { $0.page == "README.md" && $0.number == 3 && $0.language == "swift" })
    }

    @Test(arguments: swift) func `Swift code on a page is compiled as it stands there`(block: CodeBlock) throws {
        let isCompiled = try Self.compiled.contains { path in
            let source = try CodeBlock.lines(of: Self.text(path))
            let lines = block.lines
            guard source.count >= lines.count else { return false }
            return (0...(source.count - lines.count)).contains { source[$0..<($0 + lines.count)].elementsEqual(lines) }
        }
        #expect(isCompiled, "no sample contains:\n\(block.text)")
    }

    @Test func `the manifest's lines are the same everywhere`() throws {
        let manifests = CodeBlock.all.filter { $0.language == "swift" && $0.text.contains(".package(") }
        #expect(manifests.count >= 2 && Set(manifests.map(\.text)).count == 1)
    }

    /// Configurations of other programs contain the program's name in their first line.
    static let configurations = CodeBlock.all.filter { block in
        block.language == "yaml" && !["# vector.yaml", "# otel-collector.yaml"].contains(block.lines.first)
    }

    @Test(arguments: configurations) func `a configuration on a page is accepted`(block: CodeBlock) throws {
        let registry = try PluginRegistry(BuiltInPlugins.all)
        _ = try Plan.read(text: block.text + "\n", named: block.page, registry: registry, environment: [:])
    }

    @Test func `the README has at most 140 lines, and none outside of tables has more than 120 characters`() throws {
        let lines = try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 141)
        #expect(lines.filter { !$0.hasPrefix("|") && $0.count > 120 } == [])
    }
}
#endif
