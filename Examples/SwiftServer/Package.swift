// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "swift-server",
    dependencies: [
        .package(name: "taffrail", path: "../..", traits: ["SwiftLog"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "SwiftServer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailConsole", package: "taffrail"),
                .product(name: "TaffrailSwiftLog", package: "taffrail"),
            ])
    ]
)
