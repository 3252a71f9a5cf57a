/// Programs that are not written by us, to check against.
package enum Tool {
    package static func isThere(_ name: String) -> Bool { Program.path(name) != nil }

    /// Runs a program to its end with `input`, and gives what it wrote.
    package static func run(
        _ name: String, _ arguments: [String], input: String = ""
    ) throws -> (status: Int32, output: String, errors: String) {
        let result = try Program.run(arguments, of: name, input: input)
        return (result.code, result.output, result.errors)
    }
}
