package import Taffrail

extension Level {
    /// The level of a syslog severity, from 0 to 7: emergencies and alerts are critical.
    package init(syslogPriority severity: Int) {
        switch severity {
        case ...2: self = .critical
        case 3: self = .error
        case 4: self = .warning
        case 5: self = .notice
        case 6: self = .info
        default: self = .debug
        }
    }
}
