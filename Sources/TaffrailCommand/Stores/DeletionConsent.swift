#if Command && Store
internal import ArgumentParser
internal import Glibc

/// Whether the user agrees to a deletion.
struct DeletionConsent: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    /// Asks on the terminal; without a terminal `--yes` is required.
    func ask(_ question: String) throws {
        if yes { return }
        guard isatty(0) == 1, isatty(2) == 1 else {
            throw ValidationError("not a terminal; confirm with --yes")
        }
        StandardStream.report("\(question) [y/N]", isPrefixed: false)
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw ExitCode(1) }
    }
}
#endif
