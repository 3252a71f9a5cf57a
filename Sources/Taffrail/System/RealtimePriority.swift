internal import CTaffrail

/// Has the calling thread run at once when it wakes, until that is restored: on a busy machine an ordinary thread may
/// wait for tens of milliseconds.
///
/// It takes the lowest real-time priority where that is allowed (root, CAP_SYS_NICE, or a limit of real-time priorities,
/// `ulimit -r`), else a slice of a tenth of a millisecond, which Linux prefers to longer ones from 6.12 on.
package struct RealtimePriority {
    private var before = taffrail_priority()

    /// `nil` where the system does not allow it, or the thread has been given a priority already.
    package init?() { guard taffrail_priority_raise(&before) == 0 else { return nil } }

    /// Ends it. The same thread.
    package func restore() {
        var before = before
        taffrail_priority_restore(&before)
    }
}
