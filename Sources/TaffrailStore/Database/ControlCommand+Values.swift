#if Store
internal import Taffrail

/// The arguments that the commands of both stores share.
extension ControlCommand {
    /// Returns an argument that must be a time, in nanoseconds since 1970 as a string.
    func time(_ name: String) throws -> Timestamp {
        guard let text = try text(name), let nanoseconds = Int64(text) else {
            throw OptionError(name, "must be nanoseconds since 1970, as a string")
        }
        return Timestamp(nanoseconds: nanoseconds)
    }

    /// Returns an argument that must be a number in a range; `nil` if missing.
    func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let number = try number(name) else { return nil }
        guard range.contains(number) else {
            throw OptionError(name, "must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns an argument that must be an age in seconds, at most 36,600 days; `nil` if missing.
    func age(_ name: String) throws -> Duration? { try number(name, in: 0...3_162_240_000).map { .seconds($0) } }

    /// Returns the argument `tolerance`, which must be from 0.1 to 10,000 m; `nil` if missing.
    func tolerance() throws -> Double? { try number("tolerance", in: 0.1...10_000) }

    /// Returns an argument that must be a number of bytes; `nil` if missing.
    func size(_ name: String) throws -> ByteSize? {
        try number(name, in: 0...1e18).map { ByteSize(bytes: Int($0)) }
    }
}
#endif
