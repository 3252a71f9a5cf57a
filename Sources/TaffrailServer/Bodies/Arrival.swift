package import Taffrail

/// The circumstances in which records were received.
package struct Arrival: Sendable {
    /// The time of arrival, which becomes the time of the records.
    package var time: Timestamp
    /// The device that owns the client's token; it replaces what the body claims.
    package var device: String?
    /// The request's share of the memory of all requests; `nil`: not counted.
    package var memory: MemoryShare?

    /// Creates circumstances.
    package init(time: Timestamp = .now, device: String? = nil, memory: MemoryShare? = nil) {
        self.time = time
        self.device = device
        self.memory = memory
    }
}
