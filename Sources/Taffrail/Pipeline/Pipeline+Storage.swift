internal import Synchronization

extension Pipeline {
    /// The sinks; empty before the first record.
    var liveSinks: [LiveSink] { sinks ?? [] }

    /// The directory for data that outlives its runs.
    var storage: RunStorage { RunStorage(queue: queueOptions, sinks: liveSinks.map(\.sink)) }

    /// Whether the records in the queue survive SIGKILL. `false` before the first record and after the end. Takes no
    /// lock.
    package var isDurable: Bool { durableRing != nil }

    /// The number of the open ring if it survives SIGKILL, else `nil`. If the number is the same before and after a record
    /// is logged, the record is in that ring. Takes no lock.
    package var durableRing: UInt64? {
        let number = ringNumber.load(ordering: .acquiring)
        return control.state == .open && number & 1 == 1 ? number : nil
    }
}
