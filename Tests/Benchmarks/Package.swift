// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that using or testing Taffrail neither fetches nor builds what is compared here.
let package = Package(
    name: "taffrail-benchmarks",
    dependencies: [
        .package(name: "taffrail", path: "../..", traits: ["Configuration", "HTTP", "Journald", "Store"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "CBench"),
        .executableTarget(
            name: "taffrail-bench",
            dependencies: [
                "CBench",
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailConfiguration", package: "taffrail"),
                .product(name: "TaffrailConsole", package: "taffrail"),
                .product(name: "TaffrailFilter", package: "taffrail"),
                .product(name: "TaffrailJournald", package: "taffrail"),
                .product(name: "TaffrailMemory", package: "taffrail"),
                .product(name: "TaffrailRedaction", package: "taffrail"),
                .product(name: "TaffrailSampling", package: "taffrail"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/TaffrailBench"),
        .executableTarget(
            name: "taffrail-geo-bench",
            dependencies: [
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailGeo", package: "taffrail"),
                .product(name: "TaffrailLocationManager", package: "taffrail"),
                .product(name: "TaffrailRecording", package: "taffrail"),
                .product(name: "TaffrailGeoRecorder", package: "taffrail"),
            ],
            path: "Sources/GeoBench"),
        .executableTarget(
            name: "taffrail-store-bench",
            dependencies: [
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailGeo", package: "taffrail"),
                .product(name: "TaffrailStore", package: "taffrail"),
                .product(name: "TaffrailTracks", package: "taffrail"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Sources/StoreBench"),
        .executableTarget(
            name: "taffrail-log-bench",
            dependencies: [
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailGeo", package: "taffrail"),
                .product(name: "TaffrailQuery", package: "taffrail"),
                .product(name: "TaffrailStore", package: "taffrail"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Sources/LogBench"),
        .executableTarget(
            name: "taffrail-delivery-bench",
            dependencies: [
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailHTTPRemote", package: "taffrail"),
            ],
            path: "Sources/DeliveryBench"),
    ]
)
