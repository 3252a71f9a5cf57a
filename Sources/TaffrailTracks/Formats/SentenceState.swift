internal import Taffrail
internal import TaffrailGeo

/// The state on which a receiver's sentences depend, besides the event.
struct SentenceState {
    private var clock = FixClock()
    /// Whether the last position had an altitude: `NMEAWriter` writes an additional sentence for the first one without.
    private var hadAltitude = false

    /// Appends the sentences of a position.
    mutating func append(
        _ location: Location, at event: Timestamp, with writer: NMEAWriter, to bytes: inout [UInt8]
    ) {
        clock.take(location, at: event)
        writer.append(location, losesAltitude: hadAltitude && !location.hasAltitude, to: &bytes)
        hadAltitude = location.hasAltitude
    }

    /// Appends the sentences of a lost fix, which counts as a position without an altitude.
    ///
    /// - Returns: Its time by the clock of the fixes; `nil` if there is none.
    @discardableResult
    mutating func append(
        _ error: GeoError, at event: Timestamp, with writer: NMEAWriter, to bytes: inout [UInt8]
    ) -> Timestamp? {
        let time = clock.time(of: error, at: event)
        writer.appendNoFix(at: time, to: &bytes)
        hadAltitude = false
        return time
    }
}
