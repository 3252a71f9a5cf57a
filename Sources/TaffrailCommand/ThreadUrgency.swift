#if Command
internal import Glibc

/// How urgent this thread is to the system: on a busy machine an ordinary thread may wait for tens of milliseconds.
enum ThreadUrgency {
    /// Linux's SCHED_RESET_ON_FORK, which is a macro: threads and programs that this one starts are ordinary ones.
    private static let resetOnFork: CInt = 0x4000_0000

    /// Comes before every ordinary thread, at the lowest real-time priority. Nothing happens where that is not allowed:
    /// it takes root, CAP_SYS_NICE or a limit of real-time priorities (`ulimit -r`).
    static func raise() {
        var parameters = sched_param(sched_priority: 1)
        _ = sched_setscheduler(0, SCHED_RR | resetOnFork, &parameters)
    }

    /// Is an ordinary thread again.
    static func lower() {
        var parameters = sched_param(sched_priority: 0)
        _ = sched_setscheduler(0, SCHED_OTHER, &parameters)
    }
}
#endif
