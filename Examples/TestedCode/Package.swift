// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "tested-code",
    dependencies: [
        .package(name: "taffrail", path: "../..")
    ],
    targets: [
        .target(name: "TicketDesk", dependencies: [.product(name: "Taffrail", package: "taffrail")]),
        .testTarget(
            name: "TicketDeskTests",
            dependencies: [
                "TicketDesk",
                .product(name: "Taffrail", package: "taffrail"),
                .product(name: "TaffrailTesting", package: "taffrail"),
            ]),
    ]
)
