#if Command && !Configuration
internal import ArgumentParser

/// `taffrail run`, available only with the trait `Configuration`.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a configuration (needs the trait Configuration).")

    @Argument(parsing: .captureForPassthrough)
    var rest: [String] = []

    func run() throws { throw MissingTrait.configuration }
}

/// `taffrail check`, available only with the trait `Configuration`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a configuration (needs the trait Configuration).")

    @Argument(parsing: .captureForPassthrough)
    var rest: [String] = []

    func run() throws { throw MissingTrait.configuration }
}

/// `taffrail ctl`, available only with the trait `Configuration`.
struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl", abstract: "Control a running program (needs the trait Configuration).")

    @Argument(parsing: .captureForPassthrough)
    var rest: [String] = []

    func run() throws { throw MissingTrait.configuration }
}

/// Errors for missing traits.
enum MissingTrait {
    static let configuration = ValidationError(
        "taffrail was built without the trait Configuration: swift build --traits Command,Configuration")
}
#endif
