extension Duration {
    /// Milliseconds for `poll`: rounded up, so that the time is over after it, and clamped to 0 to 24 days.
    package var pollTimeout: CInt {
        CInt(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }
}
