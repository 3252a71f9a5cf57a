// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "csv-log",
    products: [.library(name: "CSVLog", targets: ["CSVLog"])],
    dependencies: [
        .package(name: "taffrail", path: "../..", traits: ["Command", "Configuration"])
    ],
    targets: [
        // The plugin requires only the core.
        .target(name: "CSVLog", dependencies: [.product(name: "Taffrail", package: "taffrail")]),
        // A program with the plugin.
        .executableTarget(
            name: "Demo",
            dependencies: [
                "CSVLog",
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailConfiguration", package: "taffrail"),
            ]),
        // The command `taffrail` with the plugin.
        .executableTarget(
            name: "csv-taffrail",
            dependencies: [
                "CSVLog",
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailCommand", package: "taffrail"),
                .product(name: "TaffrailConsole", package: "taffrail"),
            ], path: "Sources/Tool"),
        .testTarget(
            name: "CSVLogTests",
            dependencies: [
                "CSVLog",
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailTesting", package: "taffrail"),
            ]),
    ]
)
