// swift-tools-version: 6.2
import PackageDescription

// A separate package, whose programs have libFuzzer's main function. `run` builds and runs them.
let package = Package(
    name: "taffrail-fuzz",
    dependencies: [.package(name: "taffrail", path: "../..")],
    targets: ["FuzzBodies", "FuzzGPSD", "FuzzNMEA", "FuzzQuery", "FuzzRecording", "FuzzTracks"].map { name in
        .executableTarget(
            name: name,
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailQuery", "TaffrailRecording", "TaffrailServer", "TaffrailTracks",
            ].map {
                .product(name: $0, package: "taffrail")
            },
            swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    }
)
