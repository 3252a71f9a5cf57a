/// A sink of a dead run that the recovering pipeline does not have.
struct AbsentSink {
    /// Its row in the ring's table of sinks.
    let slot: Int
    /// Its name in the ring.
    let name: String
    /// Everything before this position has been written.
    let position: UInt64
    /// Its filter, if the ring has it.
    let filter: SinkFilter
    /// The records starting there.
    var tally = SinkTally()

    /// The number of records that wait for it.
    var waiting: UInt64 { tally.missed.count }

    /// Counts the records of a stretch.
    mutating func skip(_ stretch: borrowing RecordBatch) {
        tally.add(stretch.part(from: position), passing: filter)
    }
}
