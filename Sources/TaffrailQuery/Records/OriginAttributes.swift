/// The names of the attributes in which a received record keeps where it comes from.
package enum OriginAttributes {
    /// When it happened, according to the sender.
    package static let time = "taffrail.origin.time"
    /// The run of the program that logged it, if that is one with Taffrail.
    package static let run = "taffrail.origin.run"
    /// The batch that it came with, where no run is known.
    package static let batch = "taffrail.origin.batch"
    /// Its number in the run or batch.
    package static let sequence = "taffrail.origin.seq"
    /// The device that has sent it.
    package static let device = "taffrail.origin.device"
    /// What has determined the position on that device, such as `/dev/ttyACM0`.
    package static let receiver = "taffrail.origin.receiver"
    /// The sender's severity text, if it is not the name of a level.
    package static let severity = "taffrail.origin.severity"
    /// The user who has sent it, in OwnTracks' sense.
    package static let user = "taffrail.origin.user"
    /// How many attributes the sender has dropped.
    package static let dropped = "taffrail.origin.dropped_attributes"
    /// What all of them begin with.
    package static let prefix = "taffrail.origin."
    /// OpenTelemetry's identity of the device that a record is about.
    package static let deviceID = "device.id"
}
