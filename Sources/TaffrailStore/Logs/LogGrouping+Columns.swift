#if Store
internal import Taffrail
internal import TaffrailQuery

extension LogGrouping {
    /// Returns the column of the field: the number of a level or of a name.
    func number(_ level: Int64, _ logger: Int64, _ device: Int64, _ event: Int64) -> Int64 {
        switch self {
        case .level: level
        case .logger: logger
        case .device: device
        case .event: event
        }
    }

    /// Returns the value that a number represents; empty for records without an event.
    func name(_ number: Int64, _ names: inout LogNameCache) throws -> String {
        switch self {
        case .level: Level(rawValue: UInt8(clamping: number))?.name ?? ""
        case .logger: try names.logger(number)
        case .device: try names.device(number)
        case .event: number == 0 ? "" : try names.event(number)
        }
    }
}
#endif
