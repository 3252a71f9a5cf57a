internal import Taffrail
internal import TaffrailText

/// Reads the state of the machine's batteries from Linux's power supply class.
///
/// Batteries of devices such as mice are ignored. Any thread may read; a read may take milliseconds, because some
/// drivers query the hardware.
public struct BatteryReader: Sendable, Hashable {
    /// The directory of the power supplies. Default: `/sys/class/power_supply`.
    public var directory: String

    /// Creates a reader.
    public init(directory: String = "/sys/class/power_supply") { self.directory = directory }

    /// Returns the state of all batteries as one, each weighted by its energy; `nil` without a battery.
    ///
    /// If the energy of a battery is unknown, the level is the mean of all levels. The state is charging if one battery
    /// is charging, or if none is discharging and one is full or waits on external power.
    public func read() -> BatteryState? {
        let cells = Directory.names(in: directory).sorted().compactMap { Cell("\(directory)/\($0)") }
        guard !cells.isEmpty else { return nil }
        let statuses = Set(cells.map(\.status))
        let isOnPower = !statuses.isDisjoint(with: ["Full", "Not charging"]) && !statuses.contains("Discharging")
        return BatteryState(level: level(of: cells), isCharging: statuses.contains("Charging") || isOnPower)
    }

    private func level(of cells: [Cell]) -> Double? {
        let energies = cells.compactMap(\.energy)
        let full = energies.reduce(0) { $0 + $1.full }
        if energies.count == cells.count, full > 0 {
            return min(1, max(0, energies.reduce(0) { $0 + $1.now } / full))
        }
        let levels = cells.compactMap { $0.capacity ?? $0.energy.map { $0.now / $0.full * 100 } }
        guard !levels.isEmpty else { return nil }
        return min(1, max(0, levels.reduce(0, +) / Double(levels.count) / 100))
    }

    /// One battery.
    private struct Cell {
        /// `Charging`, `Discharging`, `Not charging`, `Full` or `Unknown`.
        let status: String
        /// Percent.
        let capacity: Double?
        /// In µWh.
        let energy: (now: Double, full: Double)?

        /// - Returns: `nil` for another power supply, and for a battery that is not inserted.
        init?(_ path: String) {
            func text(_ name: String) -> String? {
                guard let bytes = try? FileSource(path: "\(path)/\(name)").readAll(limit: 256) else { return nil }
                return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
            }
            func number(_ name: String) -> Double? { text(name).flatMap { DecimalText.double($0) } }
            guard text("type") == "Battery", text("scope") != "Device", text("present") != "0" else { return nil }
            status = text("status") ?? "Unknown"
            capacity = number("capacity")
            if let now = number("energy_now"), let full = number("energy_full"), full > 0 {
                energy = (now, full)
            } else if let now = number("charge_now"), let full = number("charge_full"), full > 0,
                let voltage = number("voltage_min_design") ?? number("voltage_now"), voltage > 0
            {
                // µAh times µV.
                energy = (now * voltage / 1e6, full * voltage / 1e6)
            } else {
                energy = nil
            }
        }
    }
}
