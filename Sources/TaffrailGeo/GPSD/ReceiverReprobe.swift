internal import Taffrail
internal import TaffrailTransport

/// When gpsd is to be asked again for receivers that fell silent.
///
/// gpsd 3.22 sleeps while no receiver and no client says anything. It sees only when it is woken by a request that a line
/// is dead, at once or up to 64 s after the loss, and opens it again; if that fails it forgets the receiver until
/// hot-plugging or somebody names it anew. So it is asked when a receiver has had time to come back, again and again, and
/// never while the file of one of this machine is missing.
struct ReceiverReprobe {
    private let isLocal: Bool
    private let pause: Int64
    private var backoff: Backoff
    private var paths: Set<String> = []
    /// When to ask next, in nanoseconds of the monotonic clock; `nil`: there is no reason to.
    private(set) var nextTime: Int64?

    /// - Parameters:
    ///   - host: Where gpsd runs.
    ///   - pause: The longest pause, in nanoseconds; each is between half and all of it.
    init(host: String, pause: Int64) {
        self.init(isLocal: host == "localhost" || host == "::1" || host.hasPrefix("127."), pause: pause)
    }

    /// A receiver is silent or gone, and no other one is heard.
    mutating func add(_ path: String, now: Int64) {
        paths.insert(path)
        if nextTime == nil { nextTime = now + backoff.delay() }
    }

    /// A receiver is heard.
    mutating func clear() {
        guard nextTime != nil else { return }
        self = Self(isLocal: isLocal, pause: pause)
    }

    private init(isLocal: Bool, pause: Int64) {
        self.isLocal = isLocal
        self.pause = pause
        backoff = Backoff(first: pause, longest: pause)
    }

    /// Whether it is time to ask; then the next time is set.
    mutating func isDue(now: Int64) -> Bool {
        guard let time = nextTime, now >= time else { return false }
        nextTime = now + backoff.delay()
        return !isLocal || paths.contains { !$0.hasPrefix("/") || FileName.exists($0) }
    }
}
