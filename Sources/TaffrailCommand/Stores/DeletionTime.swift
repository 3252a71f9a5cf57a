#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailReading

/// The time up to which something is deleted.
struct DeletionTime: ParsableArguments {
    @Option(
        help: ArgumentHelp("Delete everything older than this, such as 30d (default: 30d).", valueName: "age"),
        transform: TimeOption.time)
    var olderThan: Timestamp?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Delete everything before this time: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeOption.time)
    var before: Timestamp?

    func time() throws -> Timestamp {
        guard before == nil || olderThan == nil else {
            throw ValidationError("give --older-than or --before, not both")
        }
        return before ?? olderThan ?? .now - .days(30)
    }
}

extension DeletionTime {
    /// Parses the age given by an option.
    static func age(_ text: String?, _ flag: String) throws -> Duration? {
        guard let text else { return nil }
        guard let age = DurationText.duration(text), age <= .days(36_600) else {
            throw ValidationError("\(flag) \(text): must be an age such as 30d")
        }
        return age
    }

    /// Parses the size given by an option.
    static func size(_ text: String?, _ flag: String) throws -> ByteSize? {
        guard let text else { return nil }
        guard let size = ByteSize(text) else {
            throw ValidationError("\(flag) \(text): must be a size such as 500MiB")
        }
        return size
    }
}
#endif
