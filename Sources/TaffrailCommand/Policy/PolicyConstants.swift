internal import TaffrailText

/// The constants of a simulation.
struct PolicyConstants: Sendable, Hashable {
    /// The power of an open source, in milliwatts.
    var gpsPower = 75.0
    /// The energy of a ping, in millijoules.
    var pingEnergy = 2_000.0
    /// The time that an opened source needs for a fix.
    var fixTime = Duration.seconds(5)
    /// The accuracy assumed for a fix without one, in metres.
    var accuracy = 10.0

    /// One line for people.
    var text: String {
        let seconds = fixTime / .seconds(1)
        return "gps_mw \(DecimalText.short(gpsPower)), ping_mj \(DecimalText.short(pingEnergy)), "
            + "fix_seconds \(DecimalText.short(seconds)), accuracy \(DecimalText.short(accuracy)) m where unknown"
    }
}
