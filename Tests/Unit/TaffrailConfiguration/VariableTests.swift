#if Configuration
import Taffrail
import Testing

@testable import TaffrailConfiguration

/// `${NAME}` in the values of a configuration, and other contents of files written by users and other programs.
@Suite struct VariableTests {
    private func host(_ value: String, _ environment: [String: String]) throws -> String? {
        let plan = try SamplePlugins.read("plugins: { harbour: { host: \(value) } }", environment: environment)
        return (plan.plugins.first?.plugin.options as? HarbourOptions)?.host
    }

    @Test func `a variable in a value is replaced, in whatever quotes`() throws {
        let environment = ["HOME": "/home/ferry", "PORT": "443", "_x1": "y"]
        #expect(try host("\"${HOME}/logs\"", environment) == "/home/ferry/logs")
        #expect(try host("'a-${_x1}-${PORT}'", environment) == "a-y-443")
        #expect(try host("'${HOME}${HOME}'", environment) == "/home/ferry/home/ferry")
        let text = "plugins:\n  harbour:\n    host: a-${_x1}\n    port: ${PORT}"
        let plan = try SamplePlugins.read(text, environment: environment)
        #expect((plan.plugins.first?.plugin.options as? HarbourOptions)?.port == 443)
    }

    @Test func `the contents of a variable are one value, whatever characters they contain`() throws {
        #expect(try host("\"${X}\"", ["X": "a: [1, # \"\nb"]) == "a: [1, # \"\nb")
        #expect(try host("\"${X}\"", ["X": "${X}"]) == "${X}")
    }

    @Test func `a dollar that starts no variable stays`() throws {
        for text in ["a$", "^x{2}$", "$HOME", "${2}", "$$"] { #expect(try host("'\(text)'", [:]) == text) }
        #expect(try host("'$${HOME}'", [:]) == "${HOME}")
    }

    @Test func `a variable that is not set is an error with its location`() throws {
        #expect(
            try SamplePlugins.problems("plugins:\n  harbour:\n    host: \"${NOT_SET}/x\"")
                == ["a.yaml:3:11: the environment variable NOT_SET is not set; write $${ for a literal ${"])
        #expect(
            try SamplePlugins.problems("plugins: { harbour: { host: '${A:-b}' } }")
                == ["a.yaml:1:29: \"${A\" must be ${NAME}; write $${ for a literal ${"])
        #expect(try host("'${EMPTY}a'", ["EMPTY": ""]) == "a")
    }

    @Test func `keys that begin with x- are for others`() throws {
        #expect(try SamplePlugins.problems("x-owner: { team: harbour }\nplugins: { plain: }") == [])
    }

    @Test func `a tab is called a tab`() throws {
        #expect(
            try SamplePlugins.problems("plugins:\n\tplain:\n")
                == ["a.yaml:2:1: invalid YAML: a tab; indent with spaces"])
    }
}
#endif
