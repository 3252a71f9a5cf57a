import Glibc
import Synchronization

/// Kills this program when it reaches one of Taffrail's named points for the n-th time, given by
/// `TAFFRAIL_KILL_AT=POINT:N` in the environment.
enum KillPoint {
    private static let chosen: (point: CInt, count: Int)? = {
        let words = getenv("TAFFRAIL_KILL_AT").map { String(cString: $0).split(separator: ":") } ?? []
        guard words.count == 2, let point = CInt(words[0]), let count = Int(words[1]) else { return nil }
        return (point, count)
    }()
    private static let count = Atomic<Int>(0)

    static func reach(_ point: CInt) {
        guard let chosen, chosen.point == point else { return }
        if count.wrappingAdd(1, ordering: .relaxed).newValue == chosen.count { kill(getpid(), SIGKILL) }
    }
}

/// Called by the library at its named points.
@_cdecl("taffrail_reached") public func taffrailReached(_ point: CInt) { KillPoint.reach(point) }
