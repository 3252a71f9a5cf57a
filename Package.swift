// swift-tools-version: 6.2
import PackageDescription

// Every outside dependency is guarded by a trait and none is on by default: a client of product `Taffrail`
// fetches and compiles no other package. The Makefile builds with all traits.
let package = Package(
    name: "taffrail",
    products: [
        .library(name: "Taffrail", targets: ["Taffrail"]),
        .library(name: "TaffrailConfiguration", targets: ["TaffrailConfiguration"]),
        .library(name: "TaffrailFoundation", targets: ["TaffrailFoundation"]),
        .library(name: "TaffrailGeo", targets: ["TaffrailGeo"]),
        .library(name: "TaffrailReading", targets: ["TaffrailReading"]),
        .library(name: "TaffrailRecording", targets: ["TaffrailRecording"]),
        .library(name: "TaffrailTracks", targets: ["TaffrailTracks"]),
        .library(name: "TaffrailLocationManager", targets: ["TaffrailLocationManager"]),
        .library(name: "TaffrailQuery", targets: ["TaffrailQuery"]),
        .library(name: "TaffrailStore", targets: ["TaffrailStore"]),
        .library(name: "TaffrailDelivery", targets: ["TaffrailDelivery"]),
        .library(name: "TaffrailServer", targets: ["TaffrailServer"]),
        .library(name: "TaffrailSwiftLog", targets: ["TaffrailSwiftLog"]),
        .library(name: "TaffrailTracing", targets: ["TaffrailTracing"]),
        .library(name: "TaffrailMetrics", targets: ["TaffrailMetrics"]),
        .library(name: "TaffrailTesting", targets: ["TaffrailTesting"]),
        .library(name: "TaffrailGeoTesting", targets: ["TaffrailGeoTesting"]),
        .library(name: "TaffrailCommand", targets: ["TaffrailCommand"]),
        .executable(name: "taffrail", targets: ["TaffrailMain"]),
    ],
    traits: [
        .trait(name: "Command", description: "The command `taffrail` (swift-argument-parser)."),
        .trait(name: "Configuration", description: "One YAML file switches plugins on and sets them up (Yams)."),
        .trait(
            name: "HTTP",
            description: "Records to a collector, and pings to a receiver, by HTTP (async-http-client)."
        ),
        .trait(name: "Metrics", description: "The state of queue, sinks and plugins (swift-metrics)."),
        .trait(
            name: "Store", description: "Positions in an SQLite database, with their history (GRDB, libsqlite3-dev)."),
        .trait(name: "Server", description: "Records from other programs and devices by HTTP (hummingbird)."),
        .trait(name: "SwiftLog", description: "Taffrail behind the API of apple/swift-log."),
        .trait(
            name: "Tracing", description: "Spans with the position, records with the span (swift-distributed-tracing)."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(name: "CTaffrail"),
        .systemLibrary(
            name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "Taffrail", dependencies: ["CTaffrail"]),
        .target(
            name: "TaffrailConfiguration",
            dependencies: [
                "Taffrail", "TaffrailText",
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["Configuration"])),
            ]),
        // Foundation's values as attributes.
        .target(name: "TaffrailFoundation", dependencies: ["Taffrail"]),
        // What several libraries share: encodings, JSON, lines, gzip, numbers, times, files, waits for events.
        .target(name: "TaffrailText", dependencies: ["CTaffrail", "Taffrail"]),
        // Sockets, streams of bytes, servers of lines, the control socket.
        .target(name: "TaffrailTransport", dependencies: ["CTaffrail", "Taffrail", "TaffrailText"]),
        .target(name: "TaffrailReading", dependencies: ["CTaffrail", "Taffrail", "TaffrailText"]),
        .target(name: "TaffrailGeo", dependencies: ["Taffrail", "TaffrailText", "TaffrailTransport"]),
        .target(
            name: "TaffrailRecording",
            dependencies: ["CTaffrail", "Taffrail", "TaffrailGeo", "TaffrailText"]),
        .target(
            name: "TaffrailTracks",
            dependencies: ["Taffrail", "TaffrailGeo", "TaffrailRecording", "TaffrailText", "TaffrailTransport"]),
        .target(
            name: "TaffrailLocationManager",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailRecording", "TaffrailText", "TaffrailTracks", "TaffrailTransport",
            ]),
        // Queries of stored records and positions, and their answers; contains no store.
        .target(
            name: "TaffrailQuery",
            dependencies: ["Taffrail", "TaffrailGeo", "TaffrailReading", "TaffrailText"],
            resources: [.embedInCode("API/openapi.json")]),
        // Positions and records in SQLite databases.
        .target(
            name: "TaffrailStore",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailLocationManager", "TaffrailQuery", "TaffrailRecording",
                "TaffrailText", "TaffrailTracks",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Store"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["Store"])),
            ]),
        // A spool on disk, and the delivery from it; contains no network.
        .target(name: "TaffrailDelivery", dependencies: ["Taffrail"]),
        // The viewer's pages, which the C compiler puts into the program.
        .target(name: "CTaffrailViewer", exclude: ["pages"]),
        // The receiver's formats and its HTTP server; the viewer.
        .target(
            name: "TaffrailServer",
            dependencies: [
                "CTaffrailViewer", "Taffrail", "TaffrailGeo", "TaffrailQuery", "TaffrailReading", "TaffrailText",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Server"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: .when(traits: ["Server"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
            ]),
        // Requests by HTTP, for the sinks that send from a spool.
        .target(
            name: "TaffrailHTTP",
            dependencies: [
                "Taffrail", "TaffrailDelivery", "TaffrailText",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTP"])),
            ]),
        // Queries of stored records, answered by a ClickHouse server.
        .target(
            name: "TaffrailClickHouse",
            dependencies: [
                "Taffrail", "TaffrailDelivery", "TaffrailGeo", "TaffrailHTTP", "TaffrailQuery", "TaffrailText",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"])),
            ]),
        .target(
            name: "TaffrailSwiftLog",
            dependencies: [
                "Taffrail",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
            ]),
        .target(
            name: "TaffrailTracing",
            dependencies: [
                "Taffrail",
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ]),
        .target(
            name: "TaffrailMetrics",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailReading", "TaffrailText",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ]),
        .target(name: "TaffrailTesting", dependencies: ["Taffrail"]),
        .target(
            name: "TaffrailGeoTesting",
            dependencies: ["Taffrail", "TaffrailGeo", "TaffrailLocationManager", "TaffrailRecording"]),
        // The command without a list of plugins. `taffrail record` uses three of them by itself.
        .target(
            name: "TaffrailCommand",
            dependencies: [
                "TaffrailGPSD", "TaffrailGeoRecorder", "TaffrailNMEA",
                "Taffrail", "TaffrailConfiguration", "TaffrailGeo", "TaffrailLocationManager", "TaffrailReading",
                "TaffrailQuery", "TaffrailRecording", "TaffrailText", "TaffrailTracks", "TaffrailTransport",
                "TaffrailDelivery",
                .target(name: "TaffrailClickHouse", condition: .when(traits: ["HTTP"])),
                .target(name: "TaffrailServer", condition: .when(traits: ["Server"])),
                .target(name: "TaffrailStore", condition: .when(traits: ["Store"])),
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["Command"])),
            ]),
        // The command with the plugins of this package; `plugin(…)` below adds them.
        .executableTarget(name: "TaffrailMain", dependencies: ["Taffrail", "TaffrailCommand"]),
        // What the tests of several targets need.
        .target(
            name: "TaffrailTestSupport",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailQuery", "TaffrailReading", "TaffrailRecording", "TaffrailText",
                "TaffrailTracks", "TaffrailTransport",
            ],
            path: "Tests/Support",
            // Its part that is `@testable` compiles in a debug build only.
            swiftSettings: [.define("TAFFRAIL_TESTABLE", .when(configuration: .debug))]),
        // A program that the tests kill.
        .executableTarget(
            name: "TaffrailTestSubject",
            dependencies: [
                "CTaffrail", "Taffrail", "TaffrailDelivery", "TaffrailGeo", "TaffrailGeoRecorder",
                "TaffrailLocationManager", "TaffrailRecording", "TaffrailTestSupport", "TaffrailText",
                .target(name: "TaffrailAdaptivePinger", condition: .when(traits: ["HTTP"])),
                .target(name: "TaffrailHTTPRemote", condition: .when(traits: ["HTTP"])),
                .target(name: "TaffrailJournald", condition: .when(traits: ["Journald"])),
                .target(name: "TaffrailLocationStore", condition: .when(traits: ["Store"])),
                .target(name: "TaffrailLogStore", condition: .when(traits: ["Store"])),
                .target(name: "TaffrailStore", condition: .when(traits: ["Store"])),
            ],
            path: "Tests/Subject"),
        .testTarget(
            name: "TaffrailTests",
            dependencies: [
                "Taffrail", "TaffrailReading", "TaffrailTesting", "TaffrailTestSupport", "TaffrailTestSubject",
                "TaffrailCommand", "TaffrailMain",
            ], path: "Tests/Unit/Taffrail"),
        .testTarget(
            name: "TaffrailConfigurationTests",
            dependencies: ["Taffrail", "TaffrailConfiguration", "TaffrailTesting", "TaffrailTestSupport"],
            path: "Tests/Unit/TaffrailConfiguration"),
        .testTarget(
            name: "TaffrailFoundationTests",
            dependencies: ["Taffrail", "TaffrailFoundation", "TaffrailTesting", "TaffrailTestSupport"],
            path: "Tests/Unit/TaffrailFoundation"),
        .testTarget(
            name: "TaffrailReadingTests",
            dependencies: [
                "Taffrail", "TaffrailReading", "TaffrailTesting", "TaffrailTestSupport", "TaffrailTestSubject",
                "TaffrailMain",
            ], path: "Tests/Unit/TaffrailReading"),
        .testTarget(
            name: "TaffrailQueryTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailQuery", "TaffrailRecording", "TaffrailText", "TaffrailTestSupport",
            ], path: "Tests/Unit/TaffrailQuery"),
        .testTarget(
            name: "TaffrailStoreTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailGeoTesting", "TaffrailLocationManager", "TaffrailQuery",
                "TaffrailStore", "TaffrailTesting", "TaffrailTestSupport", "TaffrailText", "TaffrailTracks",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Store"])),
            ], path: "Tests/Unit/TaffrailStore"),
        .testTarget(
            name: "TaffrailClickHouseTests",
            dependencies: [
                "Taffrail", "TaffrailClickHouse", "TaffrailGeo", "TaffrailHTTP", "TaffrailQuery", "TaffrailText",
                "TaffrailTestSupport",
            ], path: "Tests/Unit/TaffrailClickHouse"),
        .testTarget(
            name: "TaffrailDeliveryTests",
            dependencies: [
                "Taffrail", "TaffrailDelivery", "TaffrailTesting", "TaffrailTestSupport", "TaffrailTestSubject",
            ],
            path: "Tests/Unit/TaffrailDelivery"),
        .testTarget(
            name: "TaffrailServerTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailQuery", "TaffrailServer", "TaffrailText", "TaffrailTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Server"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["Server"])),
            ],
            path: "Tests/Unit/TaffrailServer"),
        .testTarget(
            name: "TaffrailSwiftLogTests",
            dependencies: [
                "Taffrail", "TaffrailSwiftLog", "TaffrailTesting", "TaffrailTestSupport",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
            ], path: "Tests/Unit/TaffrailSwiftLog"),
        .testTarget(
            name: "TaffrailTracingTests",
            dependencies: [
                "Taffrail", "TaffrailGeoRecorder", "TaffrailRecording", "TaffrailSwiftLog", "TaffrailTracing",
                "TaffrailTestSupport",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])
                ),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ], path: "Tests/Unit/TaffrailTracing"),
        .testTarget(
            name: "TaffrailMetricsTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailMetrics", "TaffrailTesting", "TaffrailTestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ], path: "Tests/Unit/TaffrailMetrics"),
        .testTarget(
            name: "TaffrailTextTests", dependencies: ["Taffrail", "TaffrailText", "TaffrailTestSupport"],
            path: "Tests/Unit/TaffrailText"),
        .testTarget(
            name: "TaffrailTransportTests",
            dependencies: ["Taffrail", "TaffrailText", "TaffrailTransport", "TaffrailTesting", "TaffrailTestSupport"],
            path: "Tests/Unit/TaffrailTransport"),
        .testTarget(
            name: "TaffrailGeoTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailText", "TaffrailTransport", "TaffrailTestSupport",
            ], path: "Tests/Unit/TaffrailGeo"),
        .testTarget(
            name: "TaffrailRecordingTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailRecording", "TaffrailText", "TaffrailTesting",
                "TaffrailTestSupport",
            ], path: "Tests/Unit/TaffrailRecording"),
        .testTarget(
            name: "TaffrailTracksTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailRecording", "TaffrailText", "TaffrailTracks", "TaffrailTransport",
                "TaffrailTestSupport",
            ], path: "Tests/Unit/TaffrailTracks"),
        .testTarget(
            name: "TaffrailLocationManagerTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailGeoTesting", "TaffrailLocationManager", "TaffrailRecording",
                "TaffrailText", "TaffrailTracks", "TaffrailTesting", "TaffrailTestSupport",
            ], path: "Tests/Unit/TaffrailLocationManager"),
        .testTarget(
            name: "TaffrailCommandTests",
            dependencies: [
                "Taffrail", "TaffrailCommand", "TaffrailConfiguration", "TaffrailGeo", "TaffrailQuery",
                "TaffrailRecording", "TaffrailStore", "TaffrailText", "TaffrailTracks", "TaffrailTestSupport",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
            ],
            path: "Tests/Unit/TaffrailCommand"),
        // The code samples of GeoLogger's design, letter by letter.
        .testTarget(
            name: "GeoLoggerSampleTests",
            dependencies: ["TaffrailGeo", "TaffrailLocationManager", "TaffrailRecording"],
            path: "Tests/Contract/GeoLoggerSample"),
        // A program whose code belongs to the main actor unless it says otherwise, as new programs' does.
        .testTarget(
            name: "MainActorClientTests", dependencies: ["Taffrail"], path: "Tests/Contract/MainActorClient",
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "TaffrailReplayTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailRecording", "TaffrailText", "TaffrailTracks", "TaffrailTransport",
                "TaffrailTesting", "TaffrailTestSupport", "TaffrailTestSubject", "TaffrailCommand", "TaffrailMain",
            ],
            path: "Tests/EndToEnd/Replay"),
        // The core in programs that are killed, forked and signalled, and on real disks.
        .testTarget(
            name: "CoreEndToEndTests",
            dependencies: [
                "Taffrail", "TaffrailReading", "TaffrailTestSupport", "TaffrailTestSubject", "TaffrailMain",
            ],
            path: "Tests/EndToEnd/Core"),
        // The command and get-logs as a whole.
        .testTarget(
            name: "CommandEndToEndTests",
            dependencies: [
                "Taffrail", "TaffrailReading", "TaffrailTestSupport", "TaffrailTestSubject", "TaffrailCommand",
                "TaffrailMain", "HelloLog", "ContainerLog", "DriveRecorder", "FieldDevice", "SwiftServer",
            ],
            path: "Tests/EndToEnd/Command", exclude: ["commands-not-run.txt"]),
        // The command as a whole, with real daemons, full disks and kills.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Taffrail", "TaffrailGeo", "TaffrailGeoTesting", "TaffrailLocationManager", "TaffrailQuery",
                "TaffrailRecording", "TaffrailStore", "TaffrailText", "TaffrailTransport", "TaffrailTesting",
                "TaffrailTestSupport", "TaffrailTestSubject", "TaffrailCommand", "TaffrailMain",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Store"])),
            ],
            path: "Tests/EndToEnd/Recorder"),
        // The viewer in a real browser.
        .testTarget(
            name: "ViewerEndToEndTests", dependencies: ["TaffrailTestSupport", "TaffrailMain"],
            path: "Tests/EndToEnd/Viewer", exclude: ["browser"]),
        // The code and configurations of README and articles.
        .testTarget(
            name: "ArticleTests",
            dependencies: [
                "Taffrail", "TaffrailCommand", "TaffrailConfiguration", "TaffrailMain", "TaffrailConsole",
                "TaffrailGPSD", "TaffrailGeo", "TaffrailGeoAttributes", "TaffrailGeoRecorder", "TaffrailGeoTesting",
                "TaffrailLocationManager", "TaffrailPrivacy", "TaffrailTesting", "TaffrailTracing", "TaffrailTracks",
                "TaffrailTestSupport",
                .target(name: "TaffrailJournald", condition: .when(traits: ["Journald"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])
                ),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ],
            path: "Tests/Contract/Articles"),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "Taffrail", "TaffrailConfiguration", "TaffrailTestSupport", "TaffrailCommand", "TaffrailMain",
            ],
            path: "Tests/Contract/Shape", exclude: ["path-of-a-record.txt"]),
    ]
)

/// Adds the plugin in a folder of `Plugins/`: the product and target `Taffrail…`, its tests, and its place in the
/// command.
@MainActor func plugin(
    _ folder: String, trait: String? = nil, dependencies: [Target.Dependency] = [],
    testDependencies: [Target.Dependency] = []
) {
    let name = "Taffrail" + folder.split(separator: "/")[1]
    if let trait, !package.traits.contains(where: { $0.name == trait }) {
        package.traits.insert(.trait(name: trait, description: "The plugin in Plugins/\(folder)."))
    }
    package.products.append(.library(name: name, targets: [name]))
    package.targets += [
        .target(
            name: name, dependencies: ["Taffrail"] + dependencies, path: "Plugins/\(folder)", exclude: ["README.md"],
            resources: [.embedInCode("sample.yaml")]),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.target(name: name), "Taffrail", "TaffrailTesting", "TaffrailTestSupport"] + dependencies
                + testDependencies, path: "Tests/Unit/\(name)"),
    ]
    let condition = trait.map { TargetDependencyCondition.when(traits: [$0]) } ?? nil
    let command = package.targets.first { $0.name == "TaffrailMain" }
    command?.dependencies.append(.target(name: name, condition: condition))
}

plugin(
    "Context/GeoAttributes",
    dependencies: [
        "TaffrailGeo", "TaffrailLocationManager", "TaffrailText",
        .target(name: "TaffrailHTTP", condition: .when(traits: ["HTTP"])),
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"])),
    ],
    testDependencies: ["TaffrailConfiguration", "TaffrailGeoTesting", "TaffrailPrivacy"])
plugin(
    "Inputs/GPSD", dependencies: ["TaffrailGeo", "TaffrailText"],
    testDependencies: ["TaffrailLocationManager", "TaffrailTransport"])
plugin(
    "Inputs/GeoReplay", dependencies: ["TaffrailGeo", "TaffrailRecording", "TaffrailText", "TaffrailTracks"],
    testDependencies: ["TaffrailLocationManager"])
plugin(
    "Inputs/NMEA", dependencies: ["TaffrailGeo", "TaffrailTransport"], testDependencies: ["TaffrailText"])
plugin(
    "Inputs/Receiver", trait: "Server",
    dependencies: [
        "TaffrailClickHouse", "TaffrailGeo", "TaffrailQuery", "TaffrailServer", "TaffrailStore", "TaffrailTransport",
    ],
    testDependencies: [
        "TaffrailCommand", "TaffrailConfiguration", "TaffrailMain", "TaffrailReading", "TaffrailRecording",
        "TaffrailTracks",
        .target(name: "TaffrailHTTPRemote", condition: .when(traits: ["HTTP"])),
    ])
plugin("Inputs/Simulated", dependencies: ["TaffrailGeo", "TaffrailText"])
plugin("Inputs/Visits", dependencies: ["TaffrailGeo", "TaffrailLocationManager", "TaffrailText"])
plugin("Processors/Filter")
plugin(
    "Processors/Privacy", dependencies: ["TaffrailGeo"],
    testDependencies: ["TaffrailConfiguration", "TaffrailGeoRecorder", "TaffrailRecording"])
plugin("Processors/Redaction")
plugin("Processors/Sampling")
plugin(
    "Sinks/AdaptivePinger", trait: "HTTP",
    dependencies: ["TaffrailDelivery", "TaffrailGeo", "TaffrailHTTP", "TaffrailText"],
    testDependencies: [
        "TaffrailCommand", "TaffrailConfiguration", "TaffrailGeoRecorder", "TaffrailMain", "TaffrailReading",
        "TaffrailRecording", "TaffrailTestSubject", "TaffrailTracks", "TaffrailTransport",
    ])
plugin(
    "Sinks/GeoRecorder",
    dependencies: [
        "TaffrailDelivery", "TaffrailGeo", "TaffrailHTTP", "TaffrailRecording", "TaffrailText", "TaffrailTransport",
    ],
    testDependencies: ["TaffrailReading", "TaffrailCommand", "TaffrailMain"])
plugin(
    "Sinks/HTTPRemote", trait: "HTTP",
    dependencies: ["TaffrailDelivery", "TaffrailGeo", "TaffrailHTTP", "TaffrailText"],
    testDependencies: [
        "TaffrailCommand", "TaffrailConfiguration", "TaffrailMain", "TaffrailReading", "TaffrailTestSubject",
        // OTLP's messages, with which the encoding is compared.
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: .when(traits: ["HTTP"])),
    ])
plugin(
    "Sinks/Journald", trait: "Journald", dependencies: ["TaffrailText"],
    testDependencies: [
        "TaffrailGPSD", "TaffrailGeo", "TaffrailGeoAttributes", "TaffrailGeoRecorder", "TaffrailRecording",
        "TaffrailSwiftLog", "TaffrailTracing",
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
        .target(name: "CSystemd", condition: .when(traits: ["Journald"])),
    ])
plugin(
    "Sinks/Alerts", dependencies: ["TaffrailGeo", "TaffrailQuery", "TaffrailText"],
    testDependencies: ["TaffrailCommand", "TaffrailConfiguration", "TaffrailMain"])
plugin("Sinks/Console")
plugin(
    "Sinks/LocationStore", trait: "Store", dependencies: ["TaffrailGeo", "TaffrailStore"],
    testDependencies: [
        "TaffrailConfiguration", "TaffrailGeoRecorder", "TaffrailReading", "TaffrailRecording",
        .target(name: "TaffrailAdaptivePinger", condition: .when(traits: ["HTTP"])),
        .target(name: "TaffrailHTTPRemote", condition: .when(traits: ["HTTP"])),
        .target(name: "TaffrailLogStore", condition: .when(traits: ["Store"])),
    ])
plugin(
    "Sinks/LogStore", trait: "Store", dependencies: ["TaffrailGeo", "TaffrailQuery", "TaffrailStore"],
    testDependencies: ["TaffrailReading"])
plugin("Sinks/Memory")

for target in package.targets
where ![.system, .binary, .plugin].contains(target.type) && !target.name.hasPrefix("CTaffrail") {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]
    // Its samples were written before `any`.
    guard target.name != "GeoLoggerSampleTests" else { continue }
    target.swiftSettings?.append(.enableUpcomingFeature("ExistentialAny"))
}

/// Adds a program of `Examples/` that needs this package and what it depends on, so that it shares the package's build.
/// Each has a manifest of its own too, for those who copy it.
@MainActor func example(_ name: String, _ dependencies: Target.Dependency...) {
    package.targets.append(
        .executableTarget(
            name: name, dependencies: ["Taffrail"] + dependencies, path: "Examples/\(name)/Sources/\(name)",
            swiftSettings: [.treatAllWarnings(as: .error), .define("IN_TAFFRAIL")]))
}

example("HelloLog")
example("ContainerLog", "TaffrailConsole")
example("DriveRecorder", "TaffrailGeo", "TaffrailLocationManager")
example(
    "FieldDevice", "TaffrailConfiguration", "TaffrailGPSD", "TaffrailGeoRecorder", "TaffrailPrivacy",
    "TaffrailSimulated")
example(
    "SwiftServer", "TaffrailConsole", "TaffrailSwiftLog",
    .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
    .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])))

// While one works on a part: `TAFFRAIL_TESTS=TaffrailGeoTests,EndToEndTests` builds only these test targets.
if let names = Context.environment["TAFFRAIL_TESTS"]?.split(separator: ",") {
    package.targets.removeAll { $0.type == .test && !names.contains(Substring($0.name)) }
}
