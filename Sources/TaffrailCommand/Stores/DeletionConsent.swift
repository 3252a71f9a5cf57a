#if Command && Store
internal import ArgumentParser

/// Whether the user agrees to a deletion.
struct DeletionConsent: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    /// Asks on the terminal; without a terminal `--yes` is required.
    func ask(_ question: String) throws {
        if yes { return }
        guard StandardStream.isTerminal(0), StandardStream.isTerminal(2) else {
            throw ValidationError("not a terminal; confirm with --yes")
        }
        StandardStream.report("\(question) [y/N]", isPrefixed: false)
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw ExitCode(1) }
    }
}
#endif
