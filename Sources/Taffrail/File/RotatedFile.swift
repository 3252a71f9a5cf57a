/// A rotated file.
struct RotatedFile {
    let name: RotatedName
    var size: Int64
    /// The modification time, in nanoseconds since 1970; the largest number if unknown.
    var modified: Int64
    /// The name with another compression, while both exist: after one has been created and before the other is deleted.
    var other: RotatedName?

    init(name: RotatedName, size: Int64, modified: Int64 = .max) {
        self.name = name
        self.size = size
        self.modified = modified
    }

    /// Returns the time of the rotation, in milliseconds since 1970: that of its name, unless it is in the future.
    /// After a clock was ahead, all later names have its time; the modification time is then used.
    func rotated(seenAt now: Int64) -> Int64 {
        name.milliseconds <= now ? name.milliseconds : min(name.milliseconds, modified / 1_000_000)
    }

    /// Merges the two entries of a file that exists twice, given a sorted list.
    static func merged(_ files: [RotatedFile]) -> [RotatedFile] {
        var merged: [RotatedFile] = []
        for file in files {
            if let last = merged.last, last.name.compressed(.none) == file.name.compressed(.none) {
                merged[merged.count - 1].size += file.size
                merged[merged.count - 1].other = file.name
            } else {
                merged.append(file)
            }
        }
        return merged
    }
}
