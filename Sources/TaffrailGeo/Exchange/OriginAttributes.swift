/// The names of the attributes in which a received record keeps its origin.
package enum OriginAttributes {
    /// The time of the event, according to the sender.
    package static let time = "taffrail.origin.time"
    /// The run of the program that logged it, if the program uses Taffrail.
    package static let run = "taffrail.origin.run"
    /// The batch in which it arrived, if no run is known.
    package static let batch = "taffrail.origin.batch"
    /// Its number in the run or batch.
    package static let sequence = "taffrail.origin.seq"
    /// The device that sent it.
    package static let device = "taffrail.origin.device"
    /// The receiver that determined the position on that device, such as `/dev/ttyACM0`.
    package static let receiver = "taffrail.origin.receiver"
    /// The sender's severity text, if it is not the name of a level.
    package static let severity = "taffrail.origin.severity"
    /// The user who sent it, in OwnTracks' sense.
    package static let user = "taffrail.origin.user"
    /// The number of attributes that the sender has dropped.
    package static let dropped = "taffrail.origin.dropped_attributes"
    /// The prefix of all these names.
    package static let prefix = "taffrail.origin."
    /// OpenTelemetry's identity of the device that a record is about.
    package static let deviceID = "device.id"
}
