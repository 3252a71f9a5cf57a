package import Taffrail

extension ZoneOffset {
    /// Returns the UTC of a local time, both in seconds since 1970.
    ///
    /// The offset is looked up at an approximate time; near a clock change it may be wrong.
    package func utc(local: Int64) -> Int64 { local - seconds(local - seconds(local)) }
}
