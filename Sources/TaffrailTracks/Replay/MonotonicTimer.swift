internal import Glibc
internal import SwiftOverlayShims
package import Taffrail

/// The system's monotonic clock, with waits until absolute deadlines.
package final class MonotonicTimer: ReplayTimer, @unchecked Sendable {
    // The lock guards `isWoken`; `priority` belongs to the waiting thread.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isWoken = false
    private var priority: RealtimePriority?

    package init() {
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
        condition.deallocate()
        lock.deallocate()
    }

    package var uptime: Int64 { SystemClock.monotonicNanoseconds() }
    package var wall: Timestamp { .now }

    package func wait(until uptime: Int64?) {
        pthread_mutex_lock(lock)
        defer {
            isWoken = false
            pthread_mutex_unlock(lock)
        }
        while !isWoken {
            guard let uptime else {
                pthread_cond_wait(condition, lock)
                continue
            }
            let left = uptime - SystemClock.monotonicNanoseconds()
            guard left > 0 else { return }
            var deadline = timespec(tv_sec: Int(uptime / 1_000_000_000), tv_nsec: Int(uptime % 1_000_000_000))
            pthread_cond_timedwait(condition, lock, &deadline)
        }
    }

    package func wake() {
        pthread_mutex_lock(lock)
        isWoken = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(lock)
    }

    package var hasRaisedPriority: Bool {
        get { priority != nil }
        set {
            guard newValue != hasRaisedPriority else { return }
            priority?.restore()
            priority = newValue ? RealtimePriority() : nil
        }
    }
}
