// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "hello-log",
    dependencies: [
        .package(name: "taffrail", path: "../..")
    ],
    targets: [
        .executableTarget(name: "HelloLog", dependencies: [.product(name: "Taffrail", package: "taffrail")])
    ]
)
