internal import Taffrail
public import TaffrailGeo
public import TaffrailRecording

/// A part of a track: the same part as in a replay with this start and end. One thread at a time.
///
/// Its relative times begin at 0.
public final class CutTrack: TrackReader {
    private let track: any TrackReader
    private var from: ReplayPoint?
    private var to: ReplayPoint?
    /// The number of the next event of the whole track, from 1.
    private var number = 1
    /// The relative time of the first event of the part; `nil` before it.
    private var origin: Double?
    private var isOver = false

    /// Cuts a track.
    ///
    /// - Parameters:
    ///   - track: The whole track, of which no event has been read.
    ///   - from: The first event is the first at or after this point. Default `nil`: the first of the track.
    ///   - to: The last event is the event before the first one after this point. Default `nil`: the last of the track.
    public init(_ track: any TrackReader, from: ReplayPoint? = nil, to: ReplayPoint? = nil) {
        self.track = track
        self.from = from
        self.to = to
    }

    /// The metadata of the whole track.
    public var metadata: RecordingMetadata? { track.metadata }

    /// The points skipped in the whole track so far.
    public var warnings: TrackWarnings { track.warnings }

    /// Returns the next event of the part.
    public func next() throws(RecordingError) -> RecordedEvent? {
        while !isOver, var event = try track.next() {
            if number == 1 {
                let start = event.timestamp - event.elapsed
                from = from?.resolved(start: start)
                to = to?.resolved(start: start)
            }
            defer { number += 1 }
            if origin == nil, let from, !from.isReached(by: event, number: number) { continue }
            if let to, to.isPassed(by: event, number: number) { break }
            let origin = origin ?? event.relativeTime
            self.origin = origin
            event.relativeTime -= origin
            return event
        }
        isOver = true
        return nil
    }
}
