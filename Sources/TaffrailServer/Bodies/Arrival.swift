package import Taffrail

/// How and when records were received.
package struct Arrival: Sendable {
    /// The time of arrival, used as the time of the records.
    package var time: Timestamp
    /// The device of the client's token; it replaces the device in the body.
    package var device: String?
    /// The request's share of the memory of all requests; `nil`: not counted.
    package var memory: MemoryShare?

    /// Creates an arrival.
    package init(time: Timestamp = .now, device: String? = nil, memory: MemoryShare? = nil) {
        self.time = time
        self.device = device
        self.memory = memory
    }
}
