internal import Taffrail

/// Tells systemd how a service does, by libsystemd's sd_notify(3).
enum ServiceManager {
    private typealias Notify = @convention(c) (CInt, UnsafePointer<CChar>) -> CInt
    private typealias WatchdogEnabled = @convention(c) (CInt, UnsafeMutablePointer<UInt64>) -> CInt

    /// `nil` where nobody asked for it, and where libsystemd is missing, which is said once.
    private static let send: Notify? = {
        guard Environment["NOTIFY_SOCKET"] != nil else { return nil }
        let function = SystemdLibrary.function("sd_notify", Notify.self)
        if function == nil {
            Diagnostics.report(
                "libsystemd is not installed: systemd is not told that the service is ready; with Type=exec it need not be"
            )
        }
        return function
    }()

    /// How often the service has to say that it is well, where systemd asks this process for it.
    static var watchdogMilliseconds: CInt? {
        var microseconds: UInt64 = 0
        guard send != nil, let isEnabled = SystemdLibrary.function("sd_watchdog_enabled", WatchdogEnabled.self),
            isEnabled(0, &microseconds) > 0
        else { return nil }
        return CInt(clamping: microseconds / 1_000)
    }

    /// Sends a state such as `READY=1`; does nothing where nobody asked for it.
    static func notify(_ state: String) { _ = send?(0, state) }
}
