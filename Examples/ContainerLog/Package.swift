// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "container-log",
    dependencies: [
        .package(name: "taffrail", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "ContainerLog",
            dependencies: [
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailConsole", package: "taffrail"),
            ])
    ]
)
