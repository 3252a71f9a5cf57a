#if HTTP
internal import Taffrail

/// The attributes that are the same for all records of a program.
struct ResourceAttributes: Sendable {
    /// The attributes, in order.
    private var fixed: [(name: String, value: String)]

    /// - Parameters:
    ///   - device: The name of the machine, as in its pings.
    ///   - own: Attributes in the configuration, which replace others.
    init(program: String, host: String, device: String?, own: [String: String]) {
        fixed = [("service.name", program), ("host.name", host), ("device.id", device ?? "")].filter {
            own[$0.name] == nil && !$0.value.isEmpty
        }
        fixed += own.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the attributes for the records of a run.
    func all(of run: RingID) -> [(name: String, value: String)] {
        fixed.contains { $0.name == "service.instance.id" } ? fixed : fixed + [("service.instance.id", "\(run)")]
    }
}
#endif
