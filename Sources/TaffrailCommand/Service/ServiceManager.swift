internal import Taffrail

/// Notifies systemd of a service's state, with libsystemd's sd_notify(3).
enum ServiceManager {
    private typealias Notify = @convention(c) (CInt, UnsafePointer<CChar>) -> CInt
    private typealias WatchdogEnabled = @convention(c) (CInt, UnsafeMutablePointer<UInt64>) -> CInt

    /// `nil` if notification is not requested, or if libsystemd is missing, which is reported once.
    private static let send: Notify? = {
        guard Environment["NOTIFY_SOCKET"] != nil else { return nil }
        let function = SystemdLibrary.function("sd_notify", Notify.self)
        if function == nil {
            Diagnostics.report(
                "libsystemd is not installed, so systemd is not notified of readiness; Type=exec does not need that"
            )
        }
        return function
    }()

    /// The watchdog interval, if systemd requests watchdog notifications from this process.
    static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard send != nil, let isEnabled = SystemdLibrary.function("sd_watchdog_enabled", WatchdogEnabled.self),
            isEnabled(0, &microseconds) > 0
        else { return nil }
        return .microseconds(microseconds)
    }

    /// Sends a state such as `READY=1`, if notification is requested.
    static func notify(_ state: String) { _ = send?(0, state) }
}
