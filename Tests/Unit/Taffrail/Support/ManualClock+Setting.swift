import TaffrailTesting

extension ManualClock {
    /// Sets the clock to a time in seconds since 1970, which may be an earlier one.
    func set(seconds: Int64) { advance(by: .seconds(seconds) - now.sinceEpoch) }
}
