#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailReading

/// A time on a command line.
enum TimeOption {
    static func time(_ text: String) throws -> Timestamp {
        guard let nanoseconds = TimeArgument.nanoseconds(text) else {
            throw ValidationError("not a time such as \(TimeArgument.forms)")
        }
        return Timestamp(nanoseconds: nanoseconds)
    }
}
#endif
