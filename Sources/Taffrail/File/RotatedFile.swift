/// A rotated file.
struct RotatedFile {
    let name: RotatedName
    var size: Int64
    /// The modification time, in nanoseconds since 1970; the largest number if unknown.
    var modified = Int64.max
    /// The name with another compression, while both exist: after one has been created and before the other is deleted.
    var other: RotatedName?

    /// Returns the time of the rotation, in milliseconds since 1970: that of its name, unless it is in the future.
    /// After a clock was ahead, all later names have its time; the modification time is then used.
    func rotated(seenAt now: Int64) -> Int64 {
        name.milliseconds <= now ? name.milliseconds : min(name.milliseconds, modified / 1_000_000)
    }
}
