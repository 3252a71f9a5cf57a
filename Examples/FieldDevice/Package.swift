// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "field-device",
    dependencies: [
        .package(name: "taffrail", path: "../..", traits: ["Configuration"])
    ],
    targets: [
        .executableTarget(
            name: "FieldDevice",
            dependencies: [
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailConfiguration", package: "taffrail"),
                .product(name: "TaffrailGPSD", package: "taffrail"),
                .product(name: "TaffrailGeoRecorder", package: "taffrail"),
                .product(name: "TaffrailPrivacy", package: "taffrail"),
                .product(name: "TaffrailSimulated", package: "taffrail"),
            ])
    ]
)
