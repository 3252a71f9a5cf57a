// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "hello-log",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "taffrail", path: "../..")
    ],
    targets: [
        .executableTarget(name: "HelloLog", dependencies: [.product(name: "Taffrail", package: "taffrail")])
    ]
)
