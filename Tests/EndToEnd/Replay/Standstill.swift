#if Command
import Foundation

/// A period in which a core did nothing for its top-priority process: the machine itself stood still, as a virtual one
/// does while others use its core.
struct Standstill: Sendable {
    let start, end: Double
    var length: Double { end - start }

    /// Those that a ``watcher`` has written.
    static func all(in text: String) -> [Standstill] {
        text.split(separator: "\n").compactMap { line in
            let times = line.split(separator: " ").compactMap { Double($0) }
            return times.count == 2 ? Standstill(start: times[0] / 1e6, end: times[1] / 1e6) : nil
        }
    }

    /// Whether a position was due in it, and arrived at most 5 ms after its end.
    func explains(_ arrival: Double, late: Double) -> Bool {
        arrival >= start && arrival <= end + 5 && arrival - late >= start - 1
    }

    /// Wakes every 5 ms on a separate core, with priority over all others, and writes the start and end of each sleep
    /// of 10 ms or more. Without permission for that priority it writes nothing.
    static let watcher = """
        import os, sys, time
        output, core = open(sys.argv[1], "w"), int(sys.argv[2])
        os.sched_setaffinity(0, [core])
        try: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(3))
        except OSError: sys.exit()
        tests, before = os.getppid(), time.monotonic_ns()
        while os.getppid() == tests:
            time.sleep(0.005)
            after = time.monotonic_ns()
            if after - before >= 10_000_000: print(before, after, file=output, flush=True)
            before = after
        """
}
#endif
