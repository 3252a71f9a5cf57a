/// When a log file is rotated, and how many rotated files are kept.
///
/// All limits apply together. A file is rotated before the line that would exceed a limit; a line longer than ``size``
/// gets its own file.
public struct RotationOptions: Sendable, Hashable {
    /// The period of a file. Weeks start on Monday.
    public enum Period: String, Sendable, Hashable, CaseIterable, Decodable {
        /// At each full minute.
        case minute
        /// At each full hour.
        case hour
        /// At midnight, in the time zone of ``FileOptions/time``.
        case day
        /// On Monday at midnight, in the time zone of ``FileOptions/time``.
        case week
    }

    /// The compression of rotated files.
    public enum Compression: String, Sendable, Hashable, CaseIterable, Decodable {
        /// gzip; the names end in `.gz`.
        case gzip
    }

    /// The largest file, from 1 KiB to 1 TiB; `nil` for no limit. Default 10 MiB.
    public var size: ByteSize?
    /// The longest time that one file covers; `nil` (the default) for no limit.
    public var every: Period?
    /// How many rotated files to keep in addition to the live one, from 0 to 100,000; `nil` for all. Default 5.
    public var keep: Int?
    /// How long to keep a rotated file after its rotation, from 1 s to 292 years; `nil` (the default) for ever. If the
    /// time in its name is in the future, because the clock was once wrong, the modification time counts.
    public var age: Duration?
    /// The maximum size of all files of the log together, counting the live one with its maximum size; from 2 KiB to 1
    /// PiB and not less than ``size``; `nil` (the default) for no limit.
    public var total: ByteSize?
    /// How much disk space to keep free by deleting old files, from 1 MiB to 1 PiB; `nil` (the default) for no such
    /// limit. Checked on each rotation, once a minute, and when the disk is full.
    public var free: ByteSize?
    /// The compression of rotated files; `nil` (the default) for none. It runs on a separate thread of the lowest
    /// priority. If the library (zlib for gzip) is missing, files stay uncompressed, which is reported once.
    public var compress: Compression?
    /// Whether the first record of a run rotates a live file that is not empty. Default `false`.
    public var atStart: Bool

    /// Creates options.
    public init(
        size: ByteSize? = .mebibytes(10), every: Period? = nil, keep: Int? = 5, age: Duration? = nil,
        total: ByteSize? = nil, free: ByteSize? = nil, compress: Compression? = nil, atStart: Bool = false
    ) {
        self.size = size
        self.every = every
        self.keep = keep
        self.age = age
        self.total = total
        self.free = free
        self.compress = compress
        self.atStart = atStart
    }

    /// Rejects values out of range, by name.
    public func validate() throws(OptionError) { try validate(under: "rotate.") }

    private func validate(under prefix: String) throws(OptionError) {
        if let size { try OptionError.check(prefix + "size", size, in: .kibibytes(1) ... .gibibytes(1024)) }
        if let keep { try OptionError.check(prefix + "keep", keep, in: 0...100_000) }
        if let age { try OptionError.check(prefix + "age", age, in: .seconds(1) ... .nanoseconds(Int64.max)) }
        if let total {
            try OptionError.check(prefix + "total", total, in: .kibibytes(2) ... .gibibytes(1 << 20))
            if let size, total < size {
                throw OptionError(prefix + "total", "\(total) is less than \(prefix)size, \(size)")
            }
        }
        if let free { try OptionError.check(prefix + "free", free, in: .mebibytes(1) ... .gibibytes(1 << 20)) }
    }
}

extension RotationOptions: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case size, every, keep, age, total, free, compress
        case atStart = "at_start"
    }

    /// Reads the mapping under `rotate:` in a configuration. `null` means no limit.
    ///
    /// - Throws: `DecodingError` that names the option.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        let defaults = RotationOptions()
        size = try options.limit(.size, or: defaults.size)
        every = try options.value(.every)
        keep = try options.limit(.keep, or: defaults.keep)
        age = try options.limit(.age, or: defaults.age)
        total = try options.limit(.total, or: defaults.total)
        free = try options.limit(.free, or: defaults.free)
        compress = try options.value(.compress)
        atStart = try options.value(.atStart, or: false)
        do throws(OptionError) { try validate(under: "") } catch {
            throw options.problem(CodingKeys(rawValue: error.option) ?? .size, error.reason)
        }
    }
}

extension KeyedDecodingContainer {
    /// Returns the value of a key, `nil` if it is `null`, or `defaultValue` if the key is missing.
    fileprivate func limit<T: Decodable>(_ key: Key, or defaultValue: T?) throws -> T? {
        guard contains(key) else { return defaultValue }
        return try decodeNil(forKey: key) ? nil : value(key)
    }
}
