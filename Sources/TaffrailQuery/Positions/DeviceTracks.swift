public import Taffrail

/// The tracks of some devices.
public struct DeviceTracks: Sendable, Hashable {
    /// The tracks, by the devices' names.
    public var tracks: [DeviceTrack]
    /// The greatest distance, in metres, of an omitted position.
    public var tolerance: Double
    /// The time of the first position read, if there may be earlier ones.
    public var since: Timestamp?

    /// Creates an answer.
    public init(tracks: [DeviceTrack], tolerance: Double = 0, since: Timestamp? = nil) {
        self.tracks = tracks
        self.tolerance = tolerance
        self.since = since
    }
}
