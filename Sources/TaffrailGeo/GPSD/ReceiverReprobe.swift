internal import Taffrail
internal import TaffrailTransport

/// Schedules requests to gpsd to reopen receivers that fell silent.
///
/// gpsd 3.22 sleeps while no receiver and no client sends anything. Only a request wakes it; it then detects, at once
/// or up to 64 s after the loss, that a line is dead, and reopens it. If that fails, gpsd forgets the receiver until it
/// is hot-plugged or added again. Requests are therefore repeated, each time after the receiver has had time to return,
/// but never while the device file of a local receiver is missing.
struct ReceiverReprobe {
    private let isLocal: Bool
    private let pause: Duration
    private var backoff: Backoff
    private var paths: Set<String> = []
    /// The time of the next request, in nanoseconds of the monotonic clock; `nil`: none is needed.
    private(set) var nextTime: Int64?

    /// - Parameters:
    ///   - host: The host of gpsd.
    ///   - pause: The longest interval between requests; each interval is between half and all of it.
    init(host: String, pause: Duration) {
        self.init(isLocal: host == "localhost" || host == "::1" || host.hasPrefix("127."), pause: pause)
    }

    /// Adds a receiver that is silent or gone, while no other one sends data.
    mutating func add(_ path: String, now: Int64) {
        paths.insert(path)
        if nextTime == nil { nextTime = now + backoff.delay().nanoseconds }
    }

    /// Stops, because a receiver sends data.
    mutating func clear() {
        guard nextTime != nil else { return }
        self = Self(isLocal: isLocal, pause: pause)
    }

    private init(isLocal: Bool, pause: Duration) {
        self.isLocal = isLocal
        self.pause = pause
        backoff = Backoff(first: pause, longest: pause)
    }

    /// Returns whether a request is due; if so, schedules the next one.
    mutating func isDue(now: Int64) -> Bool {
        guard let time = nextTime, now >= time else { return false }
        nextTime = now + backoff.delay().nanoseconds
        return !isLocal || paths.contains { !$0.hasPrefix("/") || FileName.exists($0) }
    }
}
