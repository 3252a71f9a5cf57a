import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo

@Suite struct BatteryReaderTests {
    /// A directory of power supplies, as the kernel has it.
    private static func supplies(_ supplies: [String: [String: String]]) throws -> TemporaryDirectory {
        let folder = TemporaryDirectory()
        for (name, files) in supplies {
            let directory = folder.file(name)
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            for (file, text) in files {
                try Data("\(text)\n".utf8).write(to: URL(filePath: "\(directory)/\(file)"))
            }
        }
        return folder
    }

    private static func read(_ supplies: [String: [String: String]]) throws -> BatteryState? {
        let folder = try Self.supplies(supplies)
        return BatteryReader(directory: folder.path).read()
    }

    private static let mains = ["type": "Mains", "online": "1"]
    private static let mouse = [
        "type": "Battery", "scope": "Device", "status": "Discharging", "capacity": "3", "present": "1",
    ]

    @Test func `without a battery there is no state`() throws {
        #expect(try Self.read([:]) == nil)
        #expect(try Self.read(["AC": Self.mains]) == nil)
        #expect(BatteryReader(directory: "/nonexistent").read() == nil)
        #expect(try Self.read(["BAT0": ["type": "Battery", "present": "0", "capacity": "0"]]) == nil)
    }

    @Test func `the battery of a mouse is not that of the machine`() throws {
        #expect(try Self.read(["hidpp_battery_0": Self.mouse, "AC": Self.mains]) == nil)
        let both = try Self.read([
            "hidpp_battery_0": Self.mouse, "BAT0": ["type": "Battery", "status": "Full", "capacity": "100"],
        ])
        #expect(both == BatteryState(level: 1, isCharging: true))
    }

    @Test(arguments: [
        ("Charging", true), ("Discharging", false), ("Full", true), ("Not charging", true), ("Unknown", false),
    ])
    func `a battery charges or is on external power`(status: String, isCharging: Bool) throws {
        let state = try Self.read(["BAT0": ["type": "Battery", "status": status, "capacity": "42"]])
        #expect(state == BatteryState(level: 0.42, isCharging: isCharging))
    }

    @Test func `several batteries are weighted by their energy`() throws {
        let state = try Self.read([
            "BAT0": [
                "type": "Battery", "scope": "System", "status": "Full", "energy_now": "10000000",
                "energy_full": "10000000", "capacity": "100",
            ],
            "BAT1": [
                "type": "Battery", "status": "Discharging", "energy_now": "20000000", "energy_full": "40000000",
                "capacity": "50",
            ],
        ])
        #expect(state == BatteryState(level: 0.6, isCharging: false))
    }

    @Test func `one of several that charges is charging`() throws {
        let state = try Self.read([
            "BAT0": ["type": "Battery", "status": "Discharging", "capacity": "10"],
            "BAT1": ["type": "Battery", "status": "Charging", "capacity": "50"],
        ])
        #expect(state?.isCharging == true)
    }

    @Test func `charges become energies by their voltage, and unknown energies a mean of levels`() throws {
        let charges = [
            "type": "Battery", "status": "Discharging", "charge_now": "1000000", "charge_full": "4000000",
            "voltage_min_design": "10000000",
        ]
        let energies = [
            "type": "Battery", "status": "Discharging", "energy_now": "40000000", "energy_full": "40000000",
        ]
        #expect(try Self.read(["BAT0": charges, "BAT1": energies])?.level == 0.625)
        let plain = ["type": "Battery", "status": "Discharging", "capacity": "50"]
        #expect(try Self.read(["BAT0": charges, "BAT1": plain])?.level == 0.375)
    }

    @Test func `a level that cannot be read is unknown, and none exceeds the whole`() throws {
        #expect(try Self.read(["BAT0": ["type": "Battery", "capacity": "much"]]) == BatteryState(level: nil))
        let worn = ["type": "Battery", "energy_now": "41000000", "energy_full": "40000000"]
        #expect(try Self.read(["BAT0": worn])?.level == 1)
        let empty = ["type": "Battery", "energy_now": "1", "energy_full": "0", "capacity": "7"]
        #expect(try Self.read(["BAT0": empty])?.level == 0.07)
    }
}
