#if Command
internal import ArgumentParser

/// The error of a command that needs a trait which this build lacks.
enum MissingTrait {
    static let configuration = ValidationError(
        "taffrail was built without the trait Configuration: swift build --traits Command,Configuration")
    static let http = ValidationError(
        "taffrail was built without the trait HTTP, which --store needs: swift build --enable-all-traits")
}
#endif
