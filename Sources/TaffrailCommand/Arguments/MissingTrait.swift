#if Command
internal import ArgumentParser

/// The error of a command that needs a trait which this build lacks.
enum MissingTrait {
    static let configuration = ValidationError(
        "a configuration requires the trait Configuration: swift build --traits Command,Configuration")
    static let http = ValidationError(
        "--store requires the trait HTTP: swift build --enable-all-traits")
}
#endif
