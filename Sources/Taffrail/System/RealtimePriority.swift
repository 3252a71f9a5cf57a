internal import CTaffrail

/// Raises the priority of the calling thread until it is restored, so that it runs as soon as it wakes: on a busy
/// machine an ordinary thread may wait for tens of milliseconds.
///
/// It requests the lowest real-time priority if permitted (root, CAP_SYS_NICE, or a limit of real-time priorities,
/// `ulimit -r`), else a time slice of a tenth of a millisecond, which Linux prefers to longer ones from 6.12 on.
package struct RealtimePriority {
    private var before = taffrail_priority()

    /// `nil` if the system does not permit it, or the thread has a priority already.
    package init?() { guard taffrail_priority_raise(&before) == 0 else { return nil } }

    /// Restores the previous priority. On the same thread.
    package func restore() {
        var before = before
        taffrail_priority_restore(&before)
    }
}
