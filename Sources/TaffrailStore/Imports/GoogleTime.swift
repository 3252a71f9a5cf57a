#if Store
internal import Taffrail

/// A time, and the offset of local time from UTC, if the timeline contains it.
struct GoogleTime {
    var time: Timestamp
    var offset: Duration?

    func later(by duration: Duration) -> GoogleTime { GoogleTime(time: time + duration, offset: offset) }
}
#endif
