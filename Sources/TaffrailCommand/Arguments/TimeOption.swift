#if Command
internal import ArgumentParser
internal import TaffrailReading

/// A time on the command line.
struct TimeOption: ExpressibleByArgument {
    let nanoseconds: Int64

    init?(argument: String) {
        guard let time = TimeArgument.nanoseconds(argument) else { return nil }
        nanoseconds = time
    }
}
#endif
