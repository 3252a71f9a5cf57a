// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "drive-recorder",
    dependencies: [
        .package(name: "taffrail", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "DriveRecorder",
            dependencies: [
                .product(name: "TaffrailGeo", package: "taffrail"),
                .product(name: "TaffrailLocationManager", package: "taffrail"),
            ])
    ]
)
