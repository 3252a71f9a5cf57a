import Taffrail
import TaffrailTestSupport
import Testing

/// Levels by the logger's name.
@Suite(.mayBlock) struct NamedLevelTests {
    private let log = MemoryLog(level: .info, levels: ["net": .debug, "net.http": .error, "network": .critical])

    private func level(_ name: String) -> Level { log.pipeline.logger(name).level }

    @Test func `the longest prefix of complete components counts`() {
        let expected: [(String, Level)] = [
            ("", .info), ("net", .debug), ("net.dns", .debug), ("net.http", .error), ("net.http.client", .error),
            ("net.https", .debug), ("network", .critical), ("networks", .info), ("ne", .info), ("net.", .debug),
            (".net", .info),
        ]
        for (name, level) in expected { #expect(self.level(name) == level, "\(name)") }
    }

    @Test func `a level changed at run time applies to existing loggers at once`() {
        let http = log.pipeline.logger("net.http")
        let client = log.pipeline.logger("net.http.client")
        http.info("no 1")
        log.pipeline.setLevel(.info, forLogger: "net.http")
        http.info("yes 1")
        client.info("yes 2")
        log.pipeline.setLevel(nil, forLogger: "net.http")
        http.debug("yes 3")
        log.pipeline.setLevel(nil, forLogger: "net")
        http.debug("no 2")
        http.info("yes 4")
        log.pipeline.level = .warning
        http.info("no 3")
        log.logger.info("no 4")
        http.warning("yes 5")
        #expect(log.pipeline.level == .warning)
        #expect(log.messages == (1...5).map { "yes \($0)" })
    }

    @Test func `a record carries its logger's name`() {
        log.pipeline.logger("net.dns").info("named")
        log.pipeline.logger("net.dns").with(["a": 1]).info("named and bound")
        log.logger.info("without")
        #expect(log.records.map(\.logger) == ["net.dns", "net.dns", ""])
        #expect(log.pipeline.logger("net.dns").name == "net.dns")
    }

    @Test func `isEnabled agrees with the calls`() {
        for level in Level.allCases {
            #expect(log.logger.isEnabled(level) == (level >= .info))
            #expect(log.pipeline.logger("net.http").isEnabled(level) == (level >= .error))
        }
    }
}
