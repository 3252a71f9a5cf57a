#if Command
internal import ArgumentParser

/// What a command reports where this build lacks a trait that it needs.
enum MissingTrait {
    static let configuration = ValidationError(
        "taffrail was built without the trait Configuration: swift build --traits Command,Configuration")
}
#endif
